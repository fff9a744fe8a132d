"""Unions of all effects: `Effect` is what a decision may return.

The unions are closed: a new effect is a dataclass in the module of its kind and a line here. mypy
then names the code that must handle it, in store/writes or daemon/after_commit.
"""

from hookd.core.model.effects.after_commit import (
    AnnounceMail,
    AnswerApproval,
    AppendLog,
    ArmCanary,
    AskRestart,
    NotifyUser,
    ReadClientVersion,
    ReadTranscript,
    RegisterProcess,
    ReloadHooks,
    ReloadSettings,
    RunMaintenance,
    StopDaemon,
)
from hookd.core.model.effects.claims import (
    AddClaim,
    ConfirmViews,
    EndClaims,
    ExtendClaim,
    HashViews,
    KeepView,
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
    SetRepository,
    SetStarter,
    StartEffort,
)
from hookd.core.model.effects.fleet import (
    AddOutboxRow,
    DropRejected,
    DropShipped,
    JoinFleet,
    LeaveFleet,
    NoteContact,
    RejectRow,
    RestartOutbox,
    RetryRejected,
)
from hookd.core.model.effects.fleet_items import (
    KeepItem,
    MoveCursor,
    PinFleetKey,
    ReportItem,
    SetFleetRules,
    SetPeerClaims,
)
from hookd.core.model.effects.forget import EraseTexts, ForgetSession
from hookd.core.model.effects.mail import (
    DropMail,
    ExpireMail,
    MoveMail,
    QueueTaskMail,
    ReadMail,
    ReleaseMail,
    SendMail,
    SettleMail,
)
from hookd.core.model.effects.messages import (
    AddAllowance,
    AddGuard,
    AddInjection,
    AddMessage,
    ChangeTodo,
    ConfirmInjections,
    ForgetTeamFiles,
    LoseAnswer,
    MoveInjections,
    OfferInjections,
    Pause,
    RecountEvents,
    RegisterAgent,
    RemoveAgent,
    RemoveAllowances,
    RemoveGuard,
    ReportMissedEvents,
    SetAgentStatus,
    SetFileRules,
    SetTodo,
    SetTodoList,
    Trust,
)
from hookd.core.model.effects.own_calls import AddOwnCall, UseOwnCall
from hookd.core.model.effects.sessions import (
    AddDir,
    AddSeen,
    EndSession,
    ForgetFile,
    OfferHandover,
    OpenSession,
    Remember,
    ReserveHandover,
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
from hookd.core.model.effects.work_items import (
    AddWorkItem,
    BlockWorkItem,
    FinishWorkItem,
    MoveWorkItems,
    ReleaseWorkItem,
    TakeWorkItem,
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
    | ReserveHandover
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
    | SetRepository
    | SetStarter
    | SetDirectives
    | KeepSkill
    | DropSkills
)
MessageEffect = (
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
    | SetFileRules
    | ForgetTeamFiles
    | RemoveAllowances
    | Trust
    | Pause
    | ReportMissedEvents
    | RecountEvents
)
ClaimEffect = AddClaim | ExtendClaim | EndClaims | KeepView | ConfirmViews
MailEffect = (
    SendMail
    | ReleaseMail
    | DropMail
    | QueueTaskMail
    | MoveMail
    | ReadMail
    | ExpireMail
    | SettleMail
)
WorkEffect = (
    AddWorkItem | TakeWorkItem | FinishWorkItem | BlockWorkItem | ReleaseWorkItem | MoveWorkItems
)
OwnCallEffect = AddOwnCall | UseOwnCall
FleetEffect = (
    JoinFleet
    | LeaveFleet
    | DropShipped
    | RejectRow
    | RetryRejected
    | DropRejected
    | RestartOutbox
    | NoteContact
    | AddOutboxRow
)
FleetItemEffect = KeepItem | MoveCursor | PinFleetKey | SetFleetRules | SetPeerClaims
RowEffect = (
    SessionEffect
    | EffortEffect
    | MessageEffect
    | ClaimEffect
    | MailEffect
    | WorkEffect
    | OwnCallEffect
    | FleetEffect
    | FleetItemEffect
    | ForgetSession
)
AfterCommitEffect = (
    AppendLog
    | AskRestart
    | RegisterProcess
    | ReadTranscript
    | ReadClientVersion
    | ArmCanary
    | RunMaintenance
    | ReloadSettings
    | ReloadHooks
    | NotifyUser
    | AnswerApproval
    | AnnounceMail
    | ReportItem
    | StopDaemon
    | EraseTexts
    | HashViews
)
Effect = RowEffect | AfterCommitEffect
