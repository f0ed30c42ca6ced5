/** What is done to the cluster, one by one. */
import { cronOf, type Deed, type Event, namespace } from './scenario.ts'
import { askToLeave, pauseJob, pauseServer, resume, stopRun } from './wishes.ts'
import type { Slot, World } from './world.ts'

export function carryOut(world: World, event: Event): void {
  world.note(describe(world, event))
  perform(world, event)
}

function describe(world: World, event: Event): string {
  const { kind, ...rest } = event
  const slot = 'slot' in rest ? world.slots[rest.slot] : undefined
  const name = slot?.member === undefined ? '' : `${slot.member.process.name} `
  return `${kind} ${name}${JSON.stringify(rest)}`
}

function perform(world: World, deed: Deed): void {
  const { network, registry } = world
  const slot = 'slot' in deed ? world.slots[deed.slot] : undefined
  const jobName = 'job' in deed ? (world.scenario.jobs[deed.job]?.jobName ?? '') : ''
  const root = `/${namespace}/${jobName}`
  switch (deed.kind) {
    case 'cut':
      for (const host of registry.hosts) network.reset(slot?.ip ?? '', host)
      break
    case 'lose-reply':
      slot?.member?.sessions.loseNextReply()
      break
    case 'expire':
      if (slot?.member !== undefined) world.expire(slot.member)
      break
    case 'partition':
      for (const host of registry.hosts) network.hold(slot?.ip ?? '', host)
      world.after(deed.for, () => {
        for (const host of registry.hosts) network.release(slot?.ip ?? '', host)
      })
      break
    case 'freeze': {
      const process = slot?.member?.process
      process?.freeze()
      world.after(deed.for, () => process?.wake())
      break
    }
    case 'slow':
      for (const host of registry.hosts) {
        const way = deed.to === 'server' ? `${slot?.ip} ${host}` : `${host} ${slot?.ip}`
        world.delays.set(way, deed.delay)
        world.after(deed.for, () => world.delays.delete(way))
      }
      break
    case 'crash':
      if (slot === undefined) break
      world.kill(slot, deed.silent)
      world.after(deed.back, () => world.start(slot))
      break
    case 'stop':
      if (slot === undefined) break
      world.stop(slot, () => world.after(deed.back, () => world.start(slot)))
      break
    case 'join':
      for (let index = 0; index < deed.count; index++) {
        const ip = `10.0.2.${world.slots.length}`
        const joined: Slot = { ip, skew: 0, isJava: false, member: undefined }
        world.slots.push(joined)
        world.start(joined)
      }
      break
    case 'clock-jump':
      slot?.member?.process.jump(deed.by)
      break
    case 'server-pause': {
      const host = registry.hosts[deed.host] ?? ''
      registry.pause(host)
      world.after(deed.for, () => registry.resume(host))
      break
    }
    case 'server-restart':
      void registry.restart(registry.hosts[deed.host] ?? '')
      break
    case 'server-cut': {
      const [one = '', other = ''] = [registry.hosts[deed.host], registry.hosts[deed.other]]
      if (one === other) break
      registry.cut(one, other)
      world.after(deed.for, () => registry.heal(one, other))
      break
    }
    case 'server-lag': {
      const host = registry.hosts[deed.host] ?? ''
      registry.lag(host, deed.by)
      world.after(deed.for, () => registry.lag(host, 0))
      break
    }
    case 'set-total':
      edit(world, root, 'shardingTotalCount', String(deed.total))
      break
    case 'set-period':
      edit(world, root, 'cron', cronOf(deed.period))
      break
    case 'set-failover':
      edit(world, root, 'failover', String(deed.failover))
      break
    case 'disable-server': {
      const path = `${root}/servers/${slot?.ip}`
      world.operate(async (operator) => !world.isCalm && operator.set(path, 'DISABLED'))
      world.after(deed.for, () => world.operate((operator) => operator.set(path, 'ENABLED')))
      break
    }
    case 'disable-shard': {
      const path = `${root}/sharding/${deed.item}/disabled`
      world.operate(async (operator) => !world.isCalm && operator.create(path, ''))
      world.after(deed.for, () => world.operate((operator) => operator.delete(path)))
      break
    }
    case 'trigger':
      trigger(world, deed, root)
      break
    case 'pause-job':
      pauseJob(world, jobName)
      world.after(deed.for, () => resume(world, jobName))
      break
    case 'pause-server':
      pauseServer(world, jobName, slot?.ip ?? '')
      world.after(deed.for, () => resume(world, jobName))
      break
    case 'trigger-items': {
      const job = slot?.member?.jobs.get(jobName)
      job?.execute({ items: deed.items }).catch(() => {})
      break
    }
    case 'stop-run':
      stopRun(world, jobName, deed.item)
      break
    case 'ask-shutdown': {
      const instance = instanceIn(world, root, slot?.ip)?.split('/').at(-1)
      if (instance === undefined) break
      world.shutDown.add(`${slot?.ip} ${jobName}`)
      askToLeave(world, jobName, instance)
      break
    }
    case 'registry-clock-jump':
      world.registryClock.jump(deed.by)
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

/** Changes one line of the stored configuration. */
function edit(world: World, root: string, key: string, value: string): void {
  const path = `${root}/config`
  world.operate(async (operator) => {
    const { data } = await operator.get(path)
    const text = Buffer.from(data).toString()
    await operator.set(path, text.replace(new RegExp(`^${key}: .*$`, 'm'), `${key}: ${value}`))
  })
}

function trigger(world: World, deed: Deed & { kind: 'trigger' }, root: string): void {
  const slot = world.slots[deed.slot]
  if (deed.as === 'node') {
    const instance = instanceIn(world, root, slot?.ip)?.split('/').at(-1)
    if (instance === undefined) return
    const path = `${root}/trigger/${instance}`
    world.operate((operator) => operator.create(path, '', { parents: true }))
    return
  }
  const job = slot?.member?.jobs.get(world.scenario.jobs[deed.job]?.jobName ?? '')
  // Refused if the one before still waits, or the job has stopped here: both are answers.
  job?.execute().catch(() => {})
}

function instanceIn(world: World, root: string, ip: string | undefined): string | undefined {
  return [...world.log.tree.keys()].find((path) => path.startsWith(`${root}/instances/${ip}@-@`))
}
