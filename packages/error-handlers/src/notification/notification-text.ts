/** A notification as plain text. */
import type { FailureGroup, Notification } from './notification.ts'

/** The first line contains all that a phone shows of a notification. */
export function notificationTextOf(notification: Notification): string {
  const { groups, others, untold } = notification
  return [
    headlineOf(notification),
    ...groups.map((group) => groupText(group, notification.count)),
    ...(others > 0 ? [`And ${times(others)} with other errors.`] : []),
    ...(untold > 0
      ? [`Earlier, it failed ${times(untold)} and the notification could not be sent.`]
      : []),
  ].join('\n\n')
}

function headlineOf({ jobName, count, since, until, groups }: Notification): string {
  const cause = groups[0]?.error.message.split('\n', 1)[0] ?? ''
  if (count === 1) return `Job '${jobName}' failed at ${timeOf(since)}: ${cause}`
  return `Job '${jobName}' failed ${times(count)} from ${timeOf(since)} to ${timeOf(until)}: ${cause}`
}

function groupText({ error, count, shards, run }: FailureGroup, all: number): string {
  const { instance, source, runId, attempt, fireTime } = run
  const often = all === 1 ? '' : `${times(count)}, `
  const which = `shard${shards.length === 1 ? '' : 's'} ${shards.join(', ')}`
  const last = `${all === 1 ? '' : 'last '}on ${instance}, for ${timeOf(fireTime)}`
  return `${often}${which}, ${last} (${source}, attempt ${attempt}, run ${runId}):\n${error.stack}`
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}
