/** What an operator wants of ours stands in the job's word, which others change as well. */
import type { Word } from './history.ts'
import { namespace } from './scenario.ts'
import type { World } from './world.ts'

interface Wishes {
  readonly stops?: Readonly<Record<string, string>>
  readonly shutdown?: readonly string[]
  readonly paused?: boolean
  readonly pausedServers?: readonly string[]
  readonly resumed?: number
  readonly resumedServers?: Readonly<Record<string, number>>
}

export function pauseJob(world: World, jobName: string): void {
  change(world, jobName, (word) => (world.isCalm ? undefined : { ...word, paused: true }))
}

export function pauseServer(world: World, jobName: string, ip: string): void {
  change(world, jobName, (word) => {
    const pausedServers = [...new Set([...(word.pausedServers ?? []), ip])]
    return world.isCalm ? undefined : { ...word, pausedServers }
  })
}

/** Whoever was paused is not any more: the whole job, and every server. */
export function resume(world: World, jobName: string): void {
  change(world, jobName, ({ paused, pausedServers = [], ...word }) => {
    if (paused === undefined && pausedServers.length === 0) return undefined
    const now = world.registryClock.now()
    const lifted = Object.fromEntries(pausedServers.map((ip) => [ip, now]))
    const resumedServers = { ...word.resumedServers, ...lifted }
    return { ...word, resumedServers, ...(paused === true ? { resumed: now } : {}) }
  })
}

/** What runs of an item now is to end. */
export function stopRun(world: World, jobName: string, item: number): void {
  const text = world.log.tree.get(`/${namespace}.state/execution/${jobName}/${item}`) ?? ''
  const { state, run } = JSON.parse(text || '{}') as Partial<Word>
  if (state !== 'running' || run === undefined) return
  world.stopped.add(run)
  change(world, jobName, (word) => ({ ...word, stops: { ...word.stops, [item]: run } }))
}

/** An instance is to leave the job, in good order. */
export function askToLeave(world: World, jobName: string, instance: string): void {
  change(world, jobName, (word) => ({
    ...word,
    shutdown: [...new Set([...(word.shutdown ?? []), instance])],
  }))
}

/** In competition with everybody else: who comes too late looks again. */
function change(
  world: World,
  jobName: string,
  changed: (word: Wishes) => Wishes | undefined,
): void {
  const path = `/${namespace}.state/jobs/${jobName}`
  world.operate(async (operator) => {
    const { data, stat } = await operator.get(path)
    const word = changed(JSON.parse(Buffer.from(data).toString()) as Wishes)
    if (word === undefined) return
    await operator.set(path, JSON.stringify(word), { version: stat.version })
  })
}
