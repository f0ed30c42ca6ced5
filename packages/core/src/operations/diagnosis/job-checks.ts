/** What can be wrong with a job as a whole. */
import { isJavaTimeZone } from '../../cron/zone-names.ts'
import type { JobDetail } from '../details.ts'
import type { Check } from './check.ts'
import type { Finding } from './finding.ts'

const unreadable: Check = ({ problem }) =>
  problem === undefined
    ? undefined
    : {
        cause: 'configuration-unreadable',
        severity: 'stops',
        what: `its configuration cannot be used: ${problem}`,
        remedy:
          'set what is wrong with `elasticjob config set`, or write it anew with `config edit`',
      }

const beingRemoved: Check = ({ removing, instances }) =>
  removing
    ? {
        cause: 'being-removed',
        severity: 'stops',
        what:
          instances.length > 0
            ? `it is being removed; ${instances.length} instances have not left yet`
            : 'its removal was begun and not finished',
        remedy: 'remove it once more to finish, then schedule it again if it is still wanted',
      }
    : undefined

const nobodyThere: Check = ({ instances, servers }) => {
  if (instances.length > 0) return undefined
  const shutDown = servers.filter(({ status }) => status === 'SHUTDOWN').map(({ server }) => server)
  if (shutDown.length > 0) {
    return {
      cause: 'shut-down',
      severity: 'stops',
      what: `no instance takes part: an operator has shut it down on ${shutDown.join(', ')}`,
      remedy: 'start the processes of the job again',
    }
  }
  const known = servers.map(({ server }) => server).join(', ')
  return {
    cause: 'no-instance',
    severity: 'stops',
    what: `no instance takes part${known === '' ? '' : `; it was last seen on ${known}`}`,
    remedy:
      'start a process that schedules it, and see that it has the same registry and namespace',
  }
}

const disabledServers: Check = ({ servers, instances }) => {
  const disabled = servers.filter(({ enabled }) => !enabled)
  if (disabled.length === 0 || instances.length === 0) return undefined
  const isOn = (server: string): boolean => disabled.some((one) => one.server === server)
  const names = disabled.map(({ server }) => server).join(', ')
  const remedy = `\`elasticjob enable JOB --server ADDRESS\`, for ${names}`
  if (instances.every(({ server }) => isOn(server))) {
    return {
      cause: 'all-disabled',
      severity: 'stops',
      what: `all servers that take part are disabled: ${names}`,
      remedy,
    }
  }
  return {
    cause: 'server-disabled',
    severity: 'note',
    what: `disabled servers get no items: ${names}`,
    remedy,
  }
}

const pausedJob: Check = ({ paused, pausedServers, instances }) => {
  const remedy = '`elasticjob resume JOB`; what fell due meanwhile is not made up for'
  const isEverywhere =
    instances.length > 0 && instances.every(({ server }) => pausedServers.includes(server))
  if (paused || isEverywhere) {
    const where = paused ? '' : ` on ${pausedServers.join(', ')}`
    return { cause: 'paused', severity: 'stops', what: `its cron fires are paused${where}`, remedy }
  }
  if (pausedServers.length === 0) return undefined
  return {
    cause: 'server-paused',
    severity: 'hinders',
    what: `cron fires are paused on ${pausedServers.join(', ')}: items there do not run by themselves`,
    remedy,
  }
}

const zoneOfJava: Check = ({ kind, timeZone }) => {
  if (kind === 'ours' || timeZone === undefined || isJavaTimeZone(timeZone)) return undefined
  return {
    cause: 'zone-unknown-to-java',
    severity: 'stops',
    what: `Java instances take part, and never fire with the zone "${timeZone}"`,
    remedy: 'give the zone as a distance such as "GMT+08:00"',
  }
}

const clockOff: Check = ({ configuration }, { clockDifference }) => {
  const limit = configuration?.maxTimeDiffSeconds ?? -1
  if (limit < 0 || Math.abs(clockDifference) <= limit * 1000) return undefined
  const seconds = Math.round(Math.abs(clockDifference) / 1000)
  return {
    cause: 'clock-wrong',
    severity: 'stops',
    what:
      `the clock of this machine is ${seconds} s ${clockDifference > 0 ? 'ahead of' : 'behind'} ` +
      `the registry's, and the job allows ${limit} s: nothing of it runs on such a machine`,
    remedy: 'set the clock (NTP) of the machine, or of the registry; or raise maxTimeDiffSeconds',
  }
}

const nobodyLeads: Check = ({ leader, instances, servers }) => {
  const canLead = servers.some(({ enabled, instances: there }) => enabled && there.length > 0)
  if (leader !== undefined || instances.length === 0 || !canLead) return undefined
  return {
    cause: 'no-leader',
    severity: 'hinders',
    what: 'no instance leads it at this moment: items are not dealt out',
    remedy:
      'wait a second and ask again; if it stays so, look for a latch that a dead process has left ' +
      'below leader/election/latch (`elasticjob dump JOB`), and at the logs of the instances',
  }
}

const beingDealt: Check = ({ resharding, kind, shards }) => {
  if (resharding === undefined) return undefined
  const running = shards.filter(({ state }) => state === 'running' || state === 'taken-over')
  const waits =
    running.length > 0
      ? `; it waits for ${running.length === 1 ? 'a run' : `${running.length} runs`} to end`
      : ''
  return {
    cause: 'resharding',
    severity: kind === 'ours' ? 'note' : 'stops',
    what: `the items are to be dealt out anew${waits}`,
    remedy:
      kind === 'ours'
        ? 'nothing: items that do not run move at once'
        : 'a Java leader does it at the next fire, when nothing runs; stop runs that do not end',
  }
}

function roundsUnderWay({ rounds }: JobDetail): Finding | undefined {
  if (rounds.running === undefined) return undefined
  const { id, asked } = rounds.running
  const waiting =
    rounds.pending === undefined ? '' : `, and round ${rounds.pending.id} waits for it`
  return {
    cause: 'round-under-way',
    severity: 'note',
    what: `round ${id}, asked for at ${new Date(asked).toISOString()}, is not over${waiting}`,
    remedy: 'nothing, if its items run; the items below say what they wait for',
  }
}

export const jobChecks: readonly Check[] = [
  unreadable,
  beingRemoved,
  nobodyThere,
  disabledServers,
  pausedJob,
  zoneOfJava,
  clockOff,
  nobodyLeads,
  beingDealt,
  roundsUnderWay,
]
