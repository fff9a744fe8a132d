"""What a decision causes: a closed union. store/writes acts on the rows, files/ on the files.

To cause one more thing, add a dataclass to the file of its kind and to the union here; mypy names
the place that must act.
"""

from hookd.core.model.effects.after_commit import (
    AppendLog,
    ArmCanary,
    AskRestart,
    MeetProcess,
    ReadTranscript,
    ReloadSettings,
    RenewHooks,
    StopDaemon,
    Sweep,
    TellUser,
)
from hookd.core.model.effects.efforts import (
    BindAgent,
    BindSessions,
    DropSkills,
    EnterPhase,
    FinishEffort,
    KeepSkill,
    OpenProject,
    OpenTask,
    SetDirectives,
    SetMetadata,
    SetStarter,
    StartEffort,
)
from hookd.core.model.effects.messages import (
    AddAllowance,
    AddGuard,
    AddInjection,
    AddMessage,
    ChangeTodo,
    ConfirmInjections,
    LoseAnswer,
    MoveInjections,
    OfferInjections,
    Pause,
    RegisterAgent,
    RemoveAgent,
    RemoveAllowances,
    RemoveGuard,
    SetAgentStatus,
    SetTodo,
    SetTodoList,
    Status,
    TellUnjudged,
    TodoStatus,
    Trust,
)
from hookd.core.model.effects.sessions import (
    AddDir,
    AddSeen,
    EndSession,
    ForgetFile,
    OfferHandover,
    OpenSession,
    Remember,
    SaveHandover,
    SeeProcess,
    SetBranch,
    SetContextUsage,
    SetCwd,
    SetFirstPrompt,
    SetHeartbeat,
    SetLoadedFiles,
    SetModel,
    SetSessionStatus,
)

SessionEffect = (
    OpenSession
    | EndSession
    | SeeProcess
    | SetHeartbeat
    | SetContextUsage
    | SetCwd
    | SetLoadedFiles
    | SetModel
    | SetSessionStatus
    | SetBranch
    | SetFirstPrompt
    | AddDir
    | AddSeen
    | ForgetFile
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
    | SetStarter
    | SetDirectives
    | KeepSkill
    | DropSkills
)
ToldEffect = (
    RegisterAgent
    | RemoveAgent
    | SetAgentStatus
    | AddMessage
    | SetTodo
    | ChangeTodo
    | SetTodoList
    | AddInjection
    | OfferInjections
    | ConfirmInjections
    | LoseAnswer
    | MoveInjections
    | AddGuard
    | RemoveGuard
    | AddAllowance
    | RemoveAllowances
    | Trust
    | Pause
    | TellUnjudged
)
RowEffect = SessionEffect | EffortEffect | ToldEffect
LateEffect = (
    AppendLog
    | AskRestart
    | MeetProcess
    | ReadTranscript
    | ArmCanary
    | Sweep
    | ReloadSettings
    | RenewHooks
    | TellUser
    | StopDaemon
)
Effect = RowEffect | LateEffect

__all__ = [
    "AddAllowance",
    "AddDir",
    "AddGuard",
    "AddInjection",
    "AddMessage",
    "AddSeen",
    "AppendLog",
    "ArmCanary",
    "AskRestart",
    "BindAgent",
    "BindSessions",
    "ChangeTodo",
    "ConfirmInjections",
    "DropSkills",
    "Effect",
    "EffortEffect",
    "EndSession",
    "EnterPhase",
    "FinishEffort",
    "ForgetFile",
    "KeepSkill",
    "LateEffect",
    "LoseAnswer",
    "MeetProcess",
    "MoveInjections",
    "OfferHandover",
    "OfferInjections",
    "OpenProject",
    "OpenSession",
    "OpenTask",
    "Pause",
    "ReadTranscript",
    "RegisterAgent",
    "ReloadSettings",
    "Remember",
    "RemoveAgent",
    "RemoveAllowances",
    "RemoveGuard",
    "RenewHooks",
    "RowEffect",
    "SaveHandover",
    "SeeProcess",
    "SessionEffect",
    "SetAgentStatus",
    "SetBranch",
    "SetContextUsage",
    "SetCwd",
    "SetDirectives",
    "SetFirstPrompt",
    "SetHeartbeat",
    "SetLoadedFiles",
    "SetMetadata",
    "SetModel",
    "SetSessionStatus",
    "SetStarter",
    "SetTodo",
    "SetTodoList",
    "StartEffort",
    "Status",
    "StopDaemon",
    "Sweep",
    "TellUnjudged",
    "TellUser",
    "TodoStatus",
    "ToldEffect",
    "Trust",
]
