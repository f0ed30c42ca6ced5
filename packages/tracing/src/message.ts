import { type MessageFactory, messageFactory } from '@elasticjob/core/internal'

/** Errors of a history. */
export const historyTexts = {
  'driver-missing': 'A history in {product} needs the package {package}: npm install {package}',
  'history-file-missing': 'There is no file {path}.',
  'cursor-invalid': 'The cursor is not one that a page has given.',
  'tables-newer':
    'The tables are of version {version}, made by a newer ElasticJob; this one knows version {known}.',
  'history-scheme': 'The address of a history begins with sqlite:, postgresql:// or mysql://.',
  'history-url-invalid': 'The address of {product} is no URL.',
  'history-url-password':
    'The address of {product} has an "@" behind its host: write "/" as %2F, "?" as %3F and "#" as %23 in a password.',
  'retention-invalid': 'A limit of what is kept is a number that is not negative.',
  'limit-invalid': 'A limit is a whole number from 1 to {most}, not {limit}.',
  'query-time-invalid': '{time} is no time.',
  'table-missing': '{product}: there is no table {table}: nothing was recorded there yet.',
  'table-foreign': "{product}: the table {table} has no column {columns}: it is not ElasticJob's.",
  'history-closed': 'The history is closed.',
  'history-timeout': '{description} has not answered for {milliseconds} ms.',
  'statistics-window-invalid':
    'Figures are for a window of at most {most} minutes, hours or days that ends after it has begun.',
  'window-reversed': 'A window ends after it has begun.',
} as const

/** Makes a message of this package. */
export const message: MessageFactory<typeof historyTexts> = messageFactory(historyTexts)
