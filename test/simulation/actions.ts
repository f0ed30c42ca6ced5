/** What is done to the cluster, one by one. */
import type { JobChanges } from '@elasticjob/core/operations'
import { openAcl } from '@elasticjob/zookeeper'

import { coverageKey } from './coverage.ts'
import { exactClock } from './process.ts'
import { cronOf, type Action, type Event, namespace } from './scenario.ts'
import { corruptText, operatorIp, type Slot, type World } from './world.ts'

export function carryOut(world: World, event: Event): void {
  world.note(describe(world, event))
  cover(world, event)
  perform(world, event)
}

/** Notes what the cluster was doing when it happened: the job that it is about, or any. */
function cover(world: World, event: Event): void {
  const { jobs } = world.scenario
  const job = event.when?.job ?? ('job' in event ? event.job : world.done.length % jobs.length)
  const jobName = jobs[job]?.jobName
  if (jobName === undefined) return
  for (const situation of world.situations.of(jobName)) {
    const key = coverageKey(event.kind, situation)
    world.coverage[key] = (world.coverage[key] ?? 0) + 1
  }
}

function describe(world: World, event: Event): string {
  const { kind, ...rest } = event
  const slot = 'slot' in rest ? world.slots[rest.slot] : undefined
  const name = slot?.member === undefined ? '' : `${slot.member.process.name} `
  return `${kind} ${name}${JSON.stringify(rest)}`
}

function perform(world: World, action: Action): void {
  const { network, registry } = world
  const slot = 'slot' in action ? world.slots[action.slot] : undefined
  const jobName = 'job' in action ? (world.scenario.jobs[action.job]?.jobName ?? '') : ''
  const root = `/${namespace}/${jobName}`
  switch (action.kind) {
    case 'cut':
      for (const host of registry.hosts) network.reset(slot?.ip ?? '', host)
      break
    case 'lose-reply':
      slot?.member?.sessions.loseNextReply()
      break
    case 'expire':
      if (slot?.member !== undefined) world.expire(slot.member)
      break
    case 'partition': {
      const ways = waysOf(action, slot?.ip ?? '', registry.hosts)
      for (const [from, to] of ways) network.holdWay(from, to)
      world.after(action.for, () => {
        for (const [from, to] of ways) network.releaseWay(from, to)
      })
      break
    }
    case 'freeze': {
      const process = slot?.member?.process
      process?.freeze()
      world.after(action.for, () => process?.wake())
      break
    }
    case 'suspend': {
      const process = slot?.member?.process
      process?.suspend()
      world.after(action.for, () => process?.wake())
      break
    }
    case 'slow-cpu': {
      const process = slot?.member?.process
      process?.slowDown(action.turn)
      world.after(action.for, () => process?.slowDown(0))
      break
    }
    case 'slow':
      for (const host of registry.hosts) {
        const way = action.to === 'server' ? `${slot?.ip} ${host}` : `${host} ${slot?.ip}`
        world.delays.set(way, action.delay)
        world.after(action.for, () => world.delays.delete(way))
      }
      break
    case 'crash':
      if (slot === undefined) break
      world.kill(slot, action.silent)
      world.after(action.back, () => world.start(slot))
      break
    case 'stop':
      if (slot === undefined) break
      world.stop(slot, () => world.after(action.back, () => world.start(slot)))
      break
    case 'join':
      for (let index = 0; index < action.count; index++) {
        const ip = `10.0.2.${world.slots.length}`
        const joined: Slot = { ip, clock: exactClock, isJava: false, member: undefined }
        world.slots.push(joined)
        world.start(joined)
      }
      break
    case 'clock-jump':
      slot?.member?.process.jump(action.by)
      break
    case 'server-pause': {
      const host = registry.hosts[action.host] ?? ''
      registry.pause(host)
      world.after(action.for, () => registry.resume(host))
      break
    }
    case 'server-restart':
      void registry.restart(registry.hosts[action.host] ?? '')
      break
    case 'server-cut': {
      const [one = '', other = ''] = [registry.hosts[action.host], registry.hosts[action.other]]
      if (one === other) break
      registry.cut(one, other)
      world.after(action.for, () => registry.heal(one, other))
      break
    }
    case 'server-lag': {
      const host = registry.hosts[action.host] ?? ''
      registry.lag(host, action.by)
      world.after(action.for, () => registry.lag(host, 0))
      break
    }
    case 'set-total':
      edit(world, jobName, { shardingTotalCount: action.total })
      break
    case 'set-period':
      edit(world, jobName, { cron: cronOf(action.period) })
      break
    case 'set-failover':
      edit(world, jobName, { failover: action.failover })
      break
    case 'set-misfire':
      edit(world, jobName, { misfire: action.misfire })
      break
    case 'set-strategy':
      edit(world, jobName, { jobShardingStrategyType: action.strategy })
      break
    case 'reshard':
      world.command((operations) => operations.reshard(jobName))
      break
    case 'disable-server': {
      const scope = { job: jobName, server: slot?.ip ?? '' }
      world.command((operations) => operations.disable(scope))
      world.after(action.for, () => world.command((operations) => operations.enable(scope)))
      break
    }
    case 'disable-shard': {
      const { shard: shardingItem } = action
      world.command((operations) => operations.disableShard(jobName, shardingItem))
      world.after(action.for, () =>
        world.command((operations) => operations.enableShard(jobName, shardingItem)),
      )
      break
    }
    case 'trigger':
      trigger(world, action, root)
      break
    case 'pause-job':
    case 'pause-server': {
      const server = action.kind === 'pause-job' ? undefined : slot?.ip
      const scope = { job: jobName, server }
      world.command((operations) => operations.pause(scope))
      world.after(action.for, () => world.command((operations) => operations.resume(scope)))
      break
    }
    case 'trigger-items': {
      const job = slot?.member?.jobs.get(jobName)
      job?.trigger({ shards: action.shards }).catch(() => {})
      break
    }
    case 'stop-run':
      world.command((operations) => operations.stopRun(jobName, action.shard))
      break
    case 'ask-shutdown': {
      const server = slot?.ip ?? ''
      if (instanceIn(world, root, server) === undefined) break
      world.shutDown.add(`${server} ${jobName}`)
      world.command((operations) => operations.shutdown({ job: jobName, server }))
      break
    }
    case 'corrupt-config':
      corruptConfig(world, `${root}/config`, action.for)
      break
    case 'deny-access': {
      const path = `${root}/${action.node}`
      world.operate((operator) => operator.setAcl(path, operatorAcl))
      world.after(action.for, () =>
        world.operate(async (operator) => {
          await operator.setAcl(path, openAcl)
          // A server sends no event to a client that may not read the node, so the operator stores it once more.
          if (action.node === 'config') await operator.set(path, (await operator.get(path)).data)
        }),
      )
      break
    }
    case 'wipe':
      world.loseData(Infinity)
      break
    case 'restore':
      world.loseData(action.age)
      break
    case 'registry-clock-jump':
      world.registryClock.jump(action.by)
      world.clockJumps.push({ at: world.now, ahead: world.registryClock.ahead })
      break
    case 'delete-instance': {
      const instance = instanceIn(world, root, slot?.ip)
      if (instance === undefined) break
      world.shutDown.add(`${slot?.ip} ${jobName}`)
      world.operate((operator) => operator.delete(instance))
      break
    }
  }
}

/** Permits everything to the address of the operator, and nothing to anybody else. */
const operatorAcl = [{ permissions: 31, id: { scheme: 'ip', id: operatorIp } }]

function corruptConfig(world: World, path: string, milliseconds: number): void {
  world.operate(async (operator) => {
    const { data } = await operator.get(path)
    // It is corrupt already, and will be put right.
    if (Buffer.from(data).toString() === corruptText) return
    await operator.set(path, corruptText)
    world.after(milliseconds, () => {
      world.operate((again) => again.set(path, data))
    })
    world.corrupted.set(path, data)
  })
}

/** What a partition keeps from arriving: from where, and to where. */
function waysOf(
  { way, host }: Action & { kind: 'partition' },
  ip: string,
  hosts: readonly string[],
): readonly (readonly [string, string])[] {
  const some = host === undefined ? hosts : hosts.slice(host, host + 1)
  return some.flatMap((one) => [
    ...(way === 'to client' ? [] : [[ip, one] as const]),
    ...(way === 'to server' ? [] : [[one, ip] as const]),
  ])
}

/** Changes the stored configuration: by the operations of ours, or as Java's console does. */
function edit(world: World, jobName: string, changes: JobChanges): void {
  if (world.random.happens(0.7)) {
    world.command((operations) => operations.updateConfiguration(jobName, changes))
    return
  }
  const path = `/${namespace}/${jobName}/config`
  world.operate(async (operator) => {
    const { data } = await operator.get(path)
    let text = Buffer.from(data).toString()
    for (const [key, value] of Object.entries(changes)) {
      const written = typeof value === 'string' ? value : JSON.stringify(value)
      text = text.replace(new RegExp(`^${key}: .*$`, 'm'), `${key}: ${written}`)
    }
    await operator.set(path, text)
  })
}

function trigger(world: World, action: Action & { kind: 'trigger' }, root: string): void {
  const slot = world.slots[action.slot]
  if (action.as === 'node') {
    const instance = instanceIn(world, root, slot?.ip)?.split('/').at(-1)
    if (instance === undefined) return
    const path = `${root}/trigger/${instance}`
    world.operate((operator) => operator.create(path, '', { parents: true }))
    return
  }
  const job = slot?.member?.jobs.get(world.scenario.jobs[action.job]?.jobName ?? '')
  // Refused if the one before still waits, or the job has stopped here: both are answers.
  job?.trigger().catch(() => {})
}

function instanceIn(world: World, root: string, ip: string | undefined): string | undefined {
  return [...world.log.tree.keys()].find((path) => path.startsWith(`${root}/instances/${ip}@-@`))
}
