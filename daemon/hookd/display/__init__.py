"""What board, browser and commands show: rows in, values ready to be shown out.

Pure: no SQL, no markup of a terminal or a page, no clock.
"""
