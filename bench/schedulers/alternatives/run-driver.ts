import { program } from '../../measure/build.ts'
import { launcher } from '../../measure/cores.ts'
import { LineProcess } from '../../measure/line-process.ts'
import type { Period } from '../../drivers/alternatives/contender.ts'
import type { Contender } from './contenders.ts'
import { startStore, type Store, type StoreSettings } from './stores.ts'
import { within } from './within.ts'

export interface RunSettings {
  readonly pinned: boolean
  /** How long it may take, the start included, in milliseconds: with too many jobs some never end. */
  readonly timeout: number
}

/** What a driver says; null where there was nothing to take a figure of. */
export type Metrics = Readonly<Record<string, number | null>>

/** The command of a contender's driver. */
export function driver(
  name: string,
  { id }: Contender,
  { url }: Store,
  pinned: boolean,
  args: readonly (string | number)[],
): readonly string[] {
  const [node = '', ...script] = program(`drivers/alternatives/${name}.js`)
  return [
    ...launcher('client', pinned),
    node,
    '--expose-gc',
    ...script,
    id,
    url,
    ...args.map(String),
  ]
}

/** Starts a fresh server for a contender, and ends it when that was used. */
export async function onStore<Result>(
  { name, store }: Contender,
  settings: StoreSettings,
  use: (running: Store) => Promise<Result>,
): Promise<Result> {
  const running = await startStore(store, settings)
  try {
    return await use(running)
  } catch (cause) {
    throw new Error(`${name} failed`, { cause })
  } finally {
    await running.stop()
  }
}

/** Fires of so many jobs, on a fresh server; none at all if that takes longer than anybody waits. */
export function firesOf(
  contender: Contender,
  { pinned, timeout }: RunSettings,
  ...args: readonly [period: Period, jobs: number, periods: number]
): Promise<Metrics> {
  return onStore(contender, { pinned }, async (store) => {
    const running = await LineProcess.start(driver('every', contender, store, pinned, args))
    try {
      return ((await within(timeout, running.next())) ?? {}) as Metrics
    } finally {
      running.kill()
    }
  })
}
