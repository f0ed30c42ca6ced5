/** A notice as people read it. */
import type { FailureGroup, Notice } from './notice.ts'

/** The first line says all that a notification on a phone shows. */
export function noticeTextOf(notice: Notice): string {
  const { groups, others, untold } = notice
  return [
    headlineOf(notice),
    ...groups.map((group) => groupText(group, notice.count)),
    ...(others > 0 ? [`And ${times(others)} with other errors.`] : []),
    ...(untold > 0 ? [`Before, it failed ${times(untold)} without this message arriving.`] : []),
  ].join('\n\n')
}

function headlineOf({ jobName, count, since, until, groups }: Notice): string {
  const cause = groups[0]?.error.message.split('\n', 1)[0] ?? ''
  if (count === 1) return `Job '${jobName}' failed at ${timeOf(since)}: ${cause}`
  return `Job '${jobName}' failed ${times(count)} from ${timeOf(since)} to ${timeOf(until)}: ${cause}`
}

function groupText({ error, count, items, run }: FailureGroup, all: number): string {
  const { instance, source, runId, attempt, fireTime } = run
  const often = all === 1 ? '' : `${times(count)}, `
  const which = `item${items.length === 1 ? '' : 's'} ${items.join(', ')}`
  const last = `${all === 1 ? '' : 'last '}on ${instance}, for ${timeOf(fireTime)}`
  return `${often}${which}, ${last} (${source}, attempt ${attempt}, run ${runId}):\n${error.stack}`
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
