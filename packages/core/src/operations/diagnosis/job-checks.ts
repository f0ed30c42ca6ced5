/** What can be wrong with a job as a whole. */
import { isJavaTimeZone } from '../../cron/zone-names.ts'
import { say, type Sentence } from '../../sentence.ts'
import type { JobDetail } from '../details.ts'
import type { Check } from './check.ts'
import { type Finding, finding } from './finding.ts'

const unreadable: Check = ({ problem, problemSaid }) =>
  problem === undefined
    ? undefined
    : finding({
        cause: 'configuration-unreadable',
        severity: 'stops',
        what: say`its configuration cannot be used: ${problemSaid ?? problem}`,
        remedy: say`set what is wrong with \`elasticjob config set\`, or write it anew with \`config edit\``,
      })

const beingRemoved: Check = ({ removing, instances }) =>
  removing
    ? finding({
        cause: 'being-removed',
        severity: 'stops',
        what:
          instances.length > 0
            ? say`it is being removed; ${instances.length} instances have not left yet`
            : say`its removal was begun and not finished`,
        remedy: say`remove it once more to finish, then schedule it again if it is still wanted`,
      })
    : undefined

const nobodyThere: Check = ({ instances, servers }) => {
  if (instances.length > 0) return undefined
  const shutDown = servers.filter(({ status }) => status === 'SHUTDOWN').map(({ server }) => server)
  if (shutDown.length > 0) {
    return finding({
      cause: 'shut-down',
      severity: 'stops',
      what: say`no instance takes part: an operator has shut it down on ${shutDown.join(', ')}`,
      remedy: say`start the processes of the job again`,
    })
  }
  const known = servers.map(({ server }) => server).join(', ')
  return finding({
    cause: 'no-instance',
    severity: 'stops',
    what:
      known === ''
        ? say`no instance takes part`
        : say`no instance takes part; it was last seen on ${known}`,
    remedy: say`start a process that schedules it, and see that it has the same registry and namespace`,
  })
}

const disabledServers: Check = ({ servers, instances }) => {
  const disabled = servers.filter(({ enabled }) => !enabled)
  if (disabled.length === 0 || instances.length === 0) return undefined
  const isOn = (server: string): boolean => disabled.some((one) => one.server === server)
  const names = disabled.map(({ server }) => server).join(', ')
  const remedy = say`\`elasticjob enable JOB --server ADDRESS\`, for ${names}`
  if (instances.every(({ server }) => isOn(server))) {
    return finding({
      cause: 'all-disabled',
      severity: 'stops',
      what: say`all servers that take part are disabled: ${names}`,
      remedy,
    })
  }
  return finding({
    cause: 'server-disabled',
    severity: 'note',
    what: say`disabled servers get no items: ${names}`,
    remedy,
  })
}

const pausedJob: Check = ({ paused, pausedServers, instances }) => {
  const remedy = say`\`elasticjob resume JOB\`; what fell due meanwhile is not made up for`
  const names = pausedServers.join(', ')
  const isEverywhere =
    instances.length > 0 && instances.every(({ server }) => pausedServers.includes(server))
  if (paused || isEverywhere) {
    const what = paused
      ? say`its cron fires are paused`
      : say`its cron fires are paused on ${names}`
    return finding({ cause: 'paused', severity: 'stops', what, remedy })
  }
  if (pausedServers.length === 0) return undefined
  return finding({
    cause: 'server-paused',
    severity: 'hinders',
    what: say`cron fires are paused on ${names}: items there do not run by themselves`,
    remedy,
  })
}

const zoneOfJava: Check = ({ kind, timeZone }) => {
  if (kind === 'ours' || timeZone === undefined || isJavaTimeZone(timeZone)) return undefined
  return finding({
    cause: 'zone-unknown-to-java',
    severity: 'stops',
    what: say`Java instances take part, and never fire with the zone "${timeZone}"`,
    remedy: say`give the zone as a distance such as "GMT+08:00"`,
  })
}

const clockOff: Check = ({ configuration }, { clockDifference }) => {
  const limit = configuration?.maxTimeDiffSeconds ?? -1
  if (limit < 0 || Math.abs(clockDifference) <= limit * 1000) return undefined
  const seconds = Math.round(Math.abs(clockDifference) / 1000)
  return finding({
    cause: 'clock-wrong',
    severity: 'stops',
    what:
      clockDifference > 0
        ? say`the clock of this machine is ${seconds} s ahead of the registry's, and the job allows ${limit} s: nothing of it runs on such a machine`
        : say`the clock of this machine is ${seconds} s behind the registry's, and the job allows ${limit} s: nothing of it runs on such a machine`,
    remedy: say`set the clock (NTP) of the machine, or of the registry; or raise maxTimeDiffSeconds`,
  })
}

const nobodyLeads: Check = ({ leader, instances, servers }) => {
  const canLead = servers.some(({ enabled, instances: there }) => enabled && there.length > 0)
  if (leader !== undefined || instances.length === 0 || !canLead) return undefined
  return finding({
    cause: 'no-leader',
    severity: 'hinders',
    what: say`no instance leads it at this moment: items are not dealt out`,
    remedy: say`wait a second and ask again; if it stays so, look for a latch that a dead process has left below leader/election/latch (\`elasticjob dump JOB\`), and at the logs of the instances`,
  })
}

const beingDealt: Check = ({ resharding, kind, shards }) => {
  if (resharding === undefined) return undefined
  const running = shards.filter(({ state }) => state === 'running' || state === 'taken-over')
  return finding({
    cause: 'resharding',
    severity: kind === 'ours' ? 'note' : 'stops',
    what: toBeDealt(running.length),
    remedy:
      kind === 'ours'
        ? say`nothing: items that do not run move at once`
        : say`a Java leader does it at the next fire, when nothing runs; stop runs that do not end`,
  })
}

function toBeDealt(running: number): Sentence {
  if (running === 0) return say`the items are to be dealt out anew`
  if (running === 1) return say`the items are to be dealt out anew; it waits for a run to end`
  return say`the items are to be dealt out anew; it waits for ${running} runs to end`
}

function roundsUnderWay({ rounds }: JobDetail): Finding | undefined {
  if (rounds.running === undefined) return undefined
  const { id, asked } = rounds.running
  const time = new Date(asked).toISOString()
  return finding({
    cause: 'round-under-way',
    severity: 'note',
    what:
      rounds.pending === undefined
        ? say`round ${id}, asked for at ${time}, is not over`
        : say`round ${id}, asked for at ${time}, is not over, and round ${rounds.pending.id} waits for it`,
    remedy: say`nothing, if its items run; the items below say what they wait for`,
  })
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
