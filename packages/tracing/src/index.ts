/** The history of jobs: recording, retention and queries. */
export { tracingOptionsOf, tracingSection } from './config/file-section.ts'
export { errorCodes, HistoryError, type HistoryErrorCode } from './errors.ts'
export type { TracingEvents } from './events.ts'
export type { DroppedRows, RecorderMetrics, RowCounts } from './recorder/metrics.ts'
export type {
  HistoryStore,
  RetentionLimits,
  RetentionOptions,
  RetentionPolicy,
  RetentionResult,
  WriteResult,
} from './store/history-store.ts'
export { openHistory } from './store/open-history.ts'
export { historyDefaults, type HistoryOptions } from './store/options.ts'
export type {
  Execution,
  ExecutionDetails,
  ExecutionFilter,
  ExecutionOutcome,
  StatisticsBucket,
  StatisticsRequest,
  Statistics,
  StatisticsStep,
  LogRequest,
  Page,
  PageRequest,
  Percentiles,
  RunHistory,
  RunLog,
  StatusChange,
  StatusFilter,
  Timeline,
  TimelineRequest,
  TimeRange,
} from './store/queries.ts'
export type {
  Batch,
  ExecutionRecord,
  LogChunk,
  LogStream,
  LostRun,
  Outcome,
  RunRecord,
  Source,
  StatusRecord,
} from './store/records.ts'
export { startTracing, Tracing, type TracingMetrics } from './tracing.ts'
export { tracingDefaults, type TracingOptions } from './tracing-options.ts'
