/** Every fault as a action: it happens when this resolves, and the answer makes it good. */
import type { Member } from '../../zookeeper/harness/ensemble.ts'
import { type Arena, namespace } from './arena.ts'
import { machineTime } from './machine-time.ts'
import type { Fault, ServerFault, WorkerFault } from './plan.ts'

export type MakeGood = () => Promise<void> | void

export function inflict(arena: Arena, fault: Fault): Promise<MakeGood> {
  return isOfWorkers(fault) ? onWorkers(arena, fault) : onServers(arena, fault)
}

function isOfWorkers(fault: Fault): fault is WorkerFault {
  return (
    'worker' in fault || fault.kind === 'all instances killed' || fault.kind === 'rolling deploy'
  )
}

async function onWorkers(arena: Arena, fault: WorkerFault): Promise<MakeGood> {
  const { crew } = arena
  switch (fault.kind) {
    case 'instance killed':
      await crew.kill(fault.worker)
      return () => crew.start(fault.worker)
    case 'instance drained':
      await crew.drain(fault.worker)
      return () => crew.start(fault.worker)
    case 'instance stopped':
    case 'instance stopped beyond its session':
      return crew.freeze(fault.worker)
    case 'instance cut from one server':
    case 'instance cut from all servers': {
      const ways = arena.waysOf(fault.worker, fault.servers)
      for (const way of ways) way.blackHole()
      return () => {
        for (const way of ways) way.pass()
      }
    }
    case 'connections dropped':
      for (const way of arena.waysOf(fault.worker)) way.dropAll()
      return () => {}
    case 'all instances killed':
      await crew.killAll()
      return async () => {
        await Promise.all(arena.workers.map((worker) => crew.start(worker)))
      }
    case 'rolling deploy':
      for (const worker of arena.workers) {
        await crew.drain(worker)
        await crew.start(worker)
      }
      return () => {}
  }
}

async function onServers(arena: Arena, fault: ServerFault): Promise<MakeGood> {
  const { ensemble } = arena
  switch (fault.kind) {
    case 'server killed':
      return killed(ensemble.member(fault.server))
    case 'leader killed':
      return killed(await ensemble.leader())
    case 'server stopped':
      return stopped([ensemble.member(fault.server)])
    case 'leader stopped':
      return stopped([await ensemble.leader()])
    case 'majority stopped':
      return stopped(arena.members(fault.servers))
    case 'link cut': {
      const [one, other] = arena.members(fault.servers) as [Member, Member]
      return cut(arena, one, [other])
    }
    case 'leader cut from a follower': {
      const leader = await ensemble.leader()
      const others = ensemble.members.filter((member) => member !== leader)
      return cut(arena, leader, [others[fault.follower] as Member])
    }
    case 'leader cut from all followers': {
      const leader = await ensemble.leader()
      return cut(
        arena,
        leader,
        ensemble.members.filter((member) => member !== leader),
      )
    }
    case 'registry wiped':
      return wiped(arena)
    case 'registry restored':
      return restored(arena)
    case 'state deleted':
      return stateDeleted(arena)
  }
}

async function wiped(arena: Arena): Promise<MakeGood> {
  const release = await arena.operators.hold()
  arena.expectNothing()
  const at = machineTime()
  await Promise.all(arena.ensemble.members.map(({ server }) => server.wipe()))
  return async () => {
    for (const { server } of arena.ensemble.members) server.spawn()
    await arena.recoverFrom({ since: at, at })
    release()
  }
}

async function restored(arena: Arena): Promise<MakeGood> {
  const { members } = arena.ensemble
  const since = await arena.operators.exclusively(async () => {
    await arena.recovered()
    for (const { server } of members) server.backUp()
    return machineTime()
  })
  return async () => {
    const release = await arena.operators.hold()
    arena.expectNothing()
    const at = machineTime()
    await Promise.all(members.map(({ server }) => server.restore()))
    for (const { server } of members) server.spawn()
    await arena.recoverFrom({ since, at })
    release()
  }
}

/** By hand, as somebody does it who takes the tree for rubbish. */
async function stateDeleted(arena: Arena): Promise<MakeGood> {
  const release = await arena.operators.hold()
  arena.expectNothing()
  const at = machineTime()
  await using client = await arena.connect()
  await client.deleteRecursive(`/${namespace}.state`)
  return async () => {
    await arena.recoverFrom({ since: at, at })
    release()
  }
}

async function killed({ server }: Member): Promise<MakeGood> {
  await server.kill()
  return () => server.spawn()
}

async function stopped(members: readonly Member[]): Promise<MakeGood> {
  await Promise.all(members.map(({ server }) => server.pause()))
  return () => {
    for (const { server } of members) server.resume()
  }
}

function cut({ ensemble }: Arena, one: Member, others: readonly Member[]): MakeGood {
  for (const other of others) ensemble.cutLink(one, other)
  return () => {
    for (const other of others) ensemble.healLink(one, other)
  }
}
