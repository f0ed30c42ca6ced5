/** Checks of a job as a whole. */
import { isJavaTimeZone } from '../../cron/zone-names.ts'
import { message, type Message } from '../../message.ts'
import type { JobDetail } from '../details.ts'
import type { Check } from './check.ts'
import { type Finding, finding } from './finding.ts'

const unreadable: Check = ({ problem, problemParts, configuration, broken }) =>
  problem === undefined || (configuration !== undefined && broken.length > 0)
    ? undefined
    : finding({
        cause: 'configuration-unreadable',
        severity: 'error',
        what: message('configuration-unusable', { problem: problemParts ?? problem }),
        remedy: message('configuration-unusable-remedy'),
      })

const brokenNodes: Check = ({ broken }) => {
  const [first] = broken
  if (first === undefined) return undefined
  return finding({
    cause: 'node-unreadable',
    severity: 'error',
    what:
      broken.length === 1
        ? message('broken-node', { problem: first.messageParts })
        : message('broken-nodes', { problem: first.messageParts, count: broken.length - 1 }),
    remedy: message('broken-nodes-remedy'),
  })
}

const beingRemoved: Check = ({ removing, instances }) =>
  removing
    ? finding({
        cause: 'being-removed',
        severity: 'error',
        what:
          instances.length > 0
            ? message('removal-running', { count: instances.length })
            : message('removal-unfinished'),
        remedy: message('removal-remedy'),
      })
    : undefined

const refusedClocks: Check = ({ refusedClocks: refused, configuration, instances }) => {
  const [first] = refused
  if (first === undefined) return undefined
  const seconds = Math.round(Math.abs(first.difference) / 1000)
  const limit = configuration?.maxTimeDiffSeconds ?? 0
  const one =
    first.difference > 0
      ? message('clock-ahead', { instance: first.instance, seconds, limit })
      : message('clock-behind', { instance: first.instance, seconds, limit })
  return finding({
    cause: 'clock-refused',
    severity: instances.length === 0 ? 'error' : 'warning',
    what:
      refused.length === 1
        ? one
        : message('clocks-refused', { first: one, count: refused.length - 1 }),
    remedy: message('clock-remedy'),
  })
}

const nobodyThere: Check = ({ instances, servers }) => {
  if (instances.length > 0) return undefined
  const shutDown = servers.filter(({ status }) => status === 'SHUTDOWN').map(({ server }) => server)
  if (shutDown.length > 0) {
    return finding({
      cause: 'shut-down',
      severity: 'error',
      what: message('instances-shut-down', { servers: shutDown.join(', ') }),
      remedy: message('instances-shut-down-remedy'),
    })
  }
  const known = servers.map(({ server }) => server).join(', ')
  return finding({
    cause: 'no-instance',
    severity: 'error',
    what:
      known === ''
        ? message('instances-absent')
        : message('instances-last-seen', { servers: known }),
    remedy: message('instances-absent-remedy'),
  })
}

const disabledServers: Check = ({ servers, instances }) => {
  const disabled = servers.filter(({ enabled }) => !enabled)
  if (disabled.length === 0 || instances.length === 0) return undefined
  const isOn = (server: string): boolean => disabled.some((one) => one.server === server)
  const names = disabled.map(({ server }) => server).join(', ')
  const remedy = message('servers-disabled-remedy', { servers: names })
  if (instances.every(({ server }) => isOn(server))) {
    return finding({
      cause: 'all-disabled',
      severity: 'error',
      what: message('all-servers-disabled', { servers: names }),
      remedy,
    })
  }
  return finding({
    cause: 'server-disabled',
    severity: 'info',
    what: message('servers-disabled', { servers: names }),
    remedy,
  })
}

const unprovenInstances: Check = (_, { unproven }) => {
  const [first] = unproven
  if (first === undefined) return undefined
  return finding({
    cause: 'unproven-instances',
    severity: 'info',
    what:
      unproven.length === 1
        ? message('instance-without-session', { instance: first })
        : message('instances-without-session', { count: unproven.length, instance: first }),
    remedy: message('instances-without-session-remedy'),
  })
}

const pausedJob: Check = ({ paused, pausedServers, instances }) => {
  const remedy = message('pause-remedy')
  const names = pausedServers.join(', ')
  const isEverywhere =
    instances.length > 0 && instances.every(({ server }) => pausedServers.includes(server))
  if (paused || isEverywhere) {
    const what = paused
      ? message('fires-paused')
      : message('all-servers-paused', { servers: names })
    return finding({ cause: 'paused', severity: 'error', what, remedy })
  }
  if (pausedServers.length === 0) return undefined
  return finding({
    cause: 'server-paused',
    severity: 'warning',
    what: message('servers-paused', { servers: names }),
    remedy,
  })
}

const zoneOfJava: Check = ({ kind, timeZone }) => {
  if (kind === 'ours' || timeZone === undefined || isJavaTimeZone(timeZone)) return undefined
  return finding({
    cause: 'zone-unknown-to-java',
    severity: 'error',
    what: message('java-zone-unusable', { timeZone }),
    remedy: message('java-zone-remedy'),
  })
}

const clockOff: Check = ({ configuration }, { clockDifference }) => {
  const limit = configuration?.maxTimeDiffSeconds ?? -1
  if (limit < 0 || Math.abs(clockDifference) <= limit * 1000) return undefined
  const seconds = Math.round(Math.abs(clockDifference) / 1000)
  return finding({
    cause: 'clock-wrong',
    severity: 'error',
    what:
      clockDifference > 0
        ? message('local-clock-ahead', { seconds, limit })
        : message('local-clock-behind', { seconds, limit }),
    remedy: message('clock-remedy'),
  })
}

const nobodyLeads: Check = ({ leader, instances, servers }) => {
  const canLead = servers.some(({ enabled, instances: there }) => enabled && there.length > 0)
  if (leader !== undefined || instances.length === 0 || !canLead) return undefined
  return finding({
    cause: 'no-leader',
    severity: 'warning',
    what: message('leader-absent'),
    remedy: message('leader-absent-remedy'),
  })
}

const beingResharded: Check = ({ resharding, kind, shards }) => {
  if (resharding === undefined) return undefined
  const running = shards.filter(({ state }) => state === 'running' || state === 'taken-over')
  return finding({
    cause: 'resharding',
    severity: kind === 'ours' ? 'info' : 'error',
    what: toBeResharded(running.length),
    remedy: kind === 'ours' ? message('resharding-remedy') : message('java-resharding-remedy'),
  })
}

function toBeResharded(running: number): Message {
  if (running === 0) return message('resharding-pending')
  if (running === 1) return message('resharding-behind-run')
  return message('resharding-behind-runs', { count: running })
}

function manualRunsUnderWay({ manualRuns: rounds }: JobDetail): Finding | undefined {
  if (rounds.running === undefined) return undefined
  const { id, asked } = rounds.running
  const time = new Date(asked).toISOString()
  return finding({
    cause: 'manual-run-under-way',
    severity: 'info',
    what:
      rounds.pending === undefined
        ? message('manual-run-pending', { id, time })
        : message('manual-runs-pending', { id, time, next: rounds.pending.id }),
    remedy: message('manual-run-remedy'),
  })
}

export const jobChecks: readonly Check[] = [
  unreadable,
  brokenNodes,
  beingRemoved,
  refusedClocks,
  nobodyThere,
  disabledServers,
  unprovenInstances,
  pausedJob,
  zoneOfJava,
  clockOff,
  nobodyLeads,
  beingResharded,
  manualRunsUnderWay,
]
