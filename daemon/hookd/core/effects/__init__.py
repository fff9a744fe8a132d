"""What a decision causes: a closed union. store/writes acts on the rows, files/ on the files.

To cause one more thing, add a dataclass to the file of its kind and to the union here; mypy names
the place that must act.
"""

from hookd.core.effects.efforts import (
    BindAgent,
    BindSessions,
    EnterPhase,
    FinishEffort,
    KeepSkill,
    OpenProject,
    OpenTask,
    SetDirectives,
    SetMetadata,
    StartEffort,
)
from hookd.core.effects.late import AppendLog, ArmCanary, ReadTranscript, StopDaemon, Sweep
from hookd.core.effects.sessions import (
    AddSeen,
    EndSession,
    OfferHandover,
    OpenSession,
    Remember,
    SaveHandover,
    SetContextUsage,
    SetCwd,
    SetHeartbeat,
    SetLoadedFiles,
    SetModel,
)
from hookd.core.effects.told import (
    AddGuard,
    AddInjection,
    AddMessage,
    ConfirmInjections,
    LoseInjections,
    MoveInjections,
    OfferInjections,
    RegisterAgent,
    RemoveGuard,
    SetAgentStatus,
    SetTodo,
    Status,
)

SessionEffect = (
    OpenSession
    | EndSession
    | SetHeartbeat
    | SetContextUsage
    | SetCwd
    | SetLoadedFiles
    | SetModel
    | AddSeen
    | SaveHandover
    | OfferHandover
    | Remember
)
EffortEffect = (
    OpenProject
    | OpenTask
    | StartEffort
    | BindAgent
    | BindSessions
    | FinishEffort
    | EnterPhase
    | SetMetadata
    | SetDirectives
    | KeepSkill
)
ToldEffect = (
    RegisterAgent
    | SetAgentStatus
    | AddMessage
    | SetTodo
    | AddInjection
    | OfferInjections
    | ConfirmInjections
    | LoseInjections
    | MoveInjections
    | AddGuard
    | RemoveGuard
)
RowEffect = SessionEffect | EffortEffect | ToldEffect
LateEffect = AppendLog | ReadTranscript | ArmCanary | Sweep | StopDaemon
Effect = RowEffect | LateEffect

__all__ = [
    "AddGuard",
    "AddInjection",
    "AddMessage",
    "AddSeen",
    "AppendLog",
    "ArmCanary",
    "BindAgent",
    "BindSessions",
    "ConfirmInjections",
    "Effect",
    "EffortEffect",
    "EndSession",
    "EnterPhase",
    "FinishEffort",
    "KeepSkill",
    "LateEffect",
    "LoseInjections",
    "MoveInjections",
    "OfferHandover",
    "OfferInjections",
    "OpenProject",
    "OpenSession",
    "OpenTask",
    "ReadTranscript",
    "RegisterAgent",
    "Remember",
    "RemoveGuard",
    "RowEffect",
    "SaveHandover",
    "SessionEffect",
    "SetAgentStatus",
    "SetContextUsage",
    "SetCwd",
    "SetDirectives",
    "SetHeartbeat",
    "SetLoadedFiles",
    "SetMetadata",
    "SetModel",
    "SetTodo",
    "StartEffort",
    "Status",
    "StopDaemon",
    "Sweep",
    "ToldEffect",
]
