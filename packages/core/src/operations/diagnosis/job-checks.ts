/** What can be wrong with a job as a whole. */
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
        what: message`its configuration cannot be used: ${problemParts ?? problem}`,
        remedy: message`correct it with \`elasticjob config edit JOB\``,
      })

const brokenNodes: Check = ({ broken }) => {
  const [first] = broken
  if (first === undefined) return undefined
  return finding({
    cause: 'node-unreadable',
    severity: 'error',
    what:
      broken.length === 1
        ? message`it is broken: ${first.messageParts}`
        : message`it is broken: ${first.messageParts}, and so are ${broken.length - 1} more of its nodes`,
    remedy: message`\`elasticjob repair JOB\` shows what can be reset and what is lost by that; \`--yes\` does it`,
  })
}

const beingRemoved: Check = ({ removing, instances }) =>
  removing
    ? finding({
        cause: 'being-removed',
        severity: 'error',
        what:
          instances.length > 0
            ? message`it is being removed; ${instances.length} instances have not left yet`
            : message`its removal was begun and not finished`,
        remedy: message`remove it once more to finish, then schedule it again if it is still wanted`,
      })
    : undefined

const refusedClocks: Check = ({ refusedClocks: refused, configuration, instances }) => {
  const [first] = refused
  if (first === undefined) return undefined
  const seconds = Math.round(Math.abs(first.difference) / 1000)
  const limit = configuration?.maxTimeDiffSeconds ?? 0
  const one =
    first.difference > 0
      ? message`the clock of ${first.instance} is ${seconds} s ahead of the registry's, and the job allows ${limit} s: the instance takes no part until it is right`
      : message`the clock of ${first.instance} is ${seconds} s behind the registry's, and the job allows ${limit} s: the instance takes no part until it is right`
  return finding({
    cause: 'clock-refused',
    severity: instances.length === 0 ? 'error' : 'warning',
    what:
      refused.length === 1 ? one : message`${one}; and so it is with ${refused.length - 1} more`,
    remedy: message`set the clock (NTP) of the machine, or of the registry; or raise maxTimeDiffSeconds`,
  })
}

const nobodyThere: Check = ({ instances, servers }) => {
  if (instances.length > 0) return undefined
  const shutDown = servers.filter(({ status }) => status === 'SHUTDOWN').map(({ server }) => server)
  if (shutDown.length > 0) {
    return finding({
      cause: 'shut-down',
      severity: 'error',
      what: message`no instance takes part: an operator has shut it down on ${shutDown.join(', ')}`,
      remedy: message`start the processes of the job again`,
    })
  }
  const known = servers.map(({ server }) => server).join(', ')
  return finding({
    cause: 'no-instance',
    severity: 'error',
    what:
      known === ''
        ? message`no instance takes part`
        : message`no instance takes part; it was last seen on ${known}`,
    remedy: message`start a process that schedules it, and see that it has the same registry and namespace`,
  })
}

const disabledServers: Check = ({ servers, instances }) => {
  const disabled = servers.filter(({ enabled }) => !enabled)
  if (disabled.length === 0 || instances.length === 0) return undefined
  const isOn = (server: string): boolean => disabled.some((one) => one.server === server)
  const names = disabled.map(({ server }) => server).join(', ')
  const remedy = message`\`elasticjob enable JOB --server ADDRESS\`, for ${names}`
  if (instances.every(({ server }) => isOn(server))) {
    return finding({
      cause: 'all-disabled',
      severity: 'error',
      what: message`all servers that take part are disabled: ${names}`,
      remedy,
    })
  }
  return finding({
    cause: 'server-disabled',
    severity: 'info',
    what: message`disabled servers get no shards: ${names}`,
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
        ? message`the node instances/${first} belongs to no session: it gets no shards`
        : message`${unproven.length} nodes below instances belong to no session, instances/${first} among them: they get no shards`,
    remedy: message`delete them; the leader deletes those of our form after ten minutes`,
  })
}

const pausedJob: Check = ({ paused, pausedServers, instances }) => {
  const remedy = message`\`elasticjob resume JOB\`; what fell due meanwhile is not made up for`
  const names = pausedServers.join(', ')
  const isEverywhere =
    instances.length > 0 && instances.every(({ server }) => pausedServers.includes(server))
  if (paused || isEverywhere) {
    const what = paused
      ? message`its cron fires are paused`
      : message`its cron fires are paused on ${names}`
    return finding({ cause: 'paused', severity: 'error', what, remedy })
  }
  if (pausedServers.length === 0) return undefined
  return finding({
    cause: 'server-paused',
    severity: 'warning',
    what: message`cron fires are paused on ${names}: shards there do not run by themselves`,
    remedy,
  })
}

const zoneOfJava: Check = ({ kind, timeZone }) => {
  if (kind === 'ours' || timeZone === undefined || isJavaTimeZone(timeZone)) return undefined
  return finding({
    cause: 'zone-unknown-to-java',
    severity: 'error',
    what: message`Java instances take part, and never fire with the zone "${timeZone}"`,
    remedy: message`give the zone as a distance such as "GMT+08:00"`,
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
        ? message`the clock of this machine is ${seconds} s ahead of the registry's, and the job allows ${limit} s: nothing of it runs on such a machine`
        : message`the clock of this machine is ${seconds} s behind the registry's, and the job allows ${limit} s: nothing of it runs on such a machine`,
    remedy: message`set the clock (NTP) of the machine, or of the registry; or raise maxTimeDiffSeconds`,
  })
}

const nobodyLeads: Check = ({ leader, instances, servers }) => {
  const canLead = servers.some(({ enabled, instances: there }) => enabled && there.length > 0)
  if (leader !== undefined || instances.length === 0 || !canLead) return undefined
  return finding({
    cause: 'no-leader',
    severity: 'warning',
    what: message`no instance leads it at this moment: the shards are not assigned`,
    remedy: message`wait a second and ask again; if it stays so, look for a latch that a dead process has left below leader/election/latch (\`elasticjob dump JOB\`), and at the logs of the instances`,
  })
}

const beingResharded: Check = ({ resharding, kind, shards }) => {
  if (resharding === undefined) return undefined
  const running = shards.filter(({ state }) => state === 'running' || state === 'taken-over')
  return finding({
    cause: 'resharding',
    severity: kind === 'ours' ? 'info' : 'error',
    what: toBeResharded(running.length),
    remedy:
      kind === 'ours'
        ? message`nothing: shards that do not run move at once`
        : message`a Java leader does it at the next fire, when nothing runs; stop runs that do not end`,
  })
}

function toBeResharded(running: number): Message {
  if (running === 0) return message`a resharding is requested`
  if (running === 1) return message`a resharding is requested; it waits for a run to end`
  return message`a resharding is requested; it waits for ${running} runs to end`
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
        ? message`manual run ${id}, asked for at ${time}, is not over`
        : message`manual run ${id}, asked for at ${time}, is not over, and manual run ${rounds.pending.id} waits for it`,
    remedy: message`nothing, if its shards run; the shards below say what they wait for`,
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
