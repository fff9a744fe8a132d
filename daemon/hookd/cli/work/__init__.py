"""Commands for the work: effort, log, checkpoint, task, skill, session, handover, loop."""
