import { type MessageFactory, messageFactory } from '@elasticjob/core/internal'

/** Errors of a history. */
export const historyTexts = {
  'driver-missing': 'A history in {product} needs the package {package}: npm install {package}',
  'history-file-missing': 'The file {path} does not exist.',
  'cursor-invalid': 'The cursor is invalid: pass the `next` of a page.',
  'tables-newer':
    'The tables have version {version} of a newer ElasticJob; this process supports version {known}.',
  'history-scheme': 'The URL of a history must begin with sqlite:, postgresql:// or mysql://.',
  'history-url-invalid': 'The URL of the {product} history is invalid.',
  'history-url-password':
    'The URL of the {product} history has an "@" after its host: write "/" as %2F, "?" as %3F and "#" as %23 in a password.',
  'retention-invalid': 'A retention limit must be a number ≥ 0.',
  'limit-invalid': 'The limit must be an integer from 1 to {most}, not {limit}.',
  'query-time-invalid': '{time} is not a valid time.',
  'table-missing':
    '{product}: the table {table} does not exist: no run has been recorded there yet.',
  'table-foreign':
    '{product}: the table {table} has no column {columns}: it is not a table of ElasticJob.',
  'history-closed': 'The history is closed.',
  'history-timeout': '{description} did not answer within {milliseconds} ms.',
  'statistics-window-invalid':
    'The window of statistics must have at most {most} minutes, hours or days and end after its start.',
  'window-reversed': 'The window must end after its start.',
} as const

/** Makes a message of this package. */
export const message: MessageFactory<typeof historyTexts> = messageFactory(historyTexts)
