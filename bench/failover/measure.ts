/** One instance that ends, and how long the others take to go on with what it ran. */
import { ZooKeeper } from '@elasticjob/zookeeper'
import { type Begun, type FleetSettings, namespace, Survivors, Victim } from './fleet.ts'

/** How an instance ends: by kill -9, or by SIGTERM, which lets it drain. */
export type Ending = 'crash' | 'drain'

/** In milliseconds, to the first line of the first shard's code on a survivor, and of the last one's. */
export interface Latency {
  /** From the moment at which somebody else sees that the instance's node is deleted. */
  readonly first: number
  readonly last: number
  /** From the signal. */
  readonly firstSinceSignal: number
  readonly lastSinceSignal: number
}

/** Longer than this nobody waits: something hangs. */
const timeout = 30_000

export async function measureFailover(
  settings: FleetSettings,
  survivorCount: number,
  ending: Ending,
  repetitions: number,
): Promise<Latency[]> {
  const observer = await ZooKeeper.connect({ servers: settings.servers })
  const survivors = await Survivors.start(survivorCount, settings)
  const latencies: Latency[] = []
  try {
    // The first one meets code that has never run: it is not counted.
    for (let repetition = 0; repetition <= repetitions; repetition++) {
      const latency = await measureOne(settings, observer, survivors, ending)
      if (repetition > 0) latencies.push(latency)
    }
  } finally {
    await survivors.end()
    await observer.close()
  }
  return latencies
}

async function measureOne(
  settings: FleetSettings,
  observer: ZooKeeper,
  survivors: Survivors,
  ending: Ending,
): Promise<Latency> {
  const victim = await Victim.start(settings)
  const isDeleted = deletionOf(observer, `/${namespace}/job/instances/${victim.instance}`)
  const areBegun = allBegun(survivors, settings.shards)
  await isDeleted.watched
  const signalled = machineTime()
  victim.end(ending === 'crash' ? 'SIGKILL' : 'SIGTERM')
  const [deleted, begun] = await withTimeout(Promise.all([isDeleted.at, areBegun]))
  await victim.gone()
  const times = begun.map(({ at }) => at)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  return {
    first: first - deleted,
    last: last - deleted,
    firstSinceSignal: first - signalled,
    lastSinceSignal: last - signalled,
  }
}

/** When the observer is told that the node is gone. */
function deletionOf(
  observer: ZooKeeper,
  path: string,
): { readonly watched: Promise<unknown>; readonly at: Promise<number> } {
  const { promise: at, resolve } = deferred<number>()
  const watched = observer.exists(path, {
    watch: ({ type }) => {
      if (type === 'deleted') resolve(machineTime())
    },
  })
  return { watched, at }
}

function allBegun(survivors: Survivors, shards: number): Promise<Begun[]> {
  const { promise, resolve } = deferred<Begun[]>()
  const all: Begun[] = []
  const take = (begun: Begun): void => {
    all.push(begun)
    if (all.length < shards) return
    survivors.off('begun', take)
    resolve(all)
  }
  survivors.on('begun', take)
  return promise
}

async function withTimeout<T>(wanted: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no failover within ${timeout} ms`)), timeout)
  })
  try {
    return await Promise.race([wanted, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

/** By the clock that all processes of the machine share. */
function machineTime(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
