/** Lists the namespaces of a registry, for operators who used the wrong one. */
import { isRegistryError } from '../registry/registry-error.ts'
import type { OperatorRegistry } from './operator-registry.ts'

/** The namespaces of a registry. */
export interface Namespaces {
  /** The namespaces that hold jobs. */
  readonly withJobs: readonly string[]
  /**
   * The namespaces without read permission; whether they hold jobs is unknown. `/` stands for all namespaces if not
   * even their names are readable.
   */
  readonly unreadable: readonly string[]
}

/** How many nodes of a namespace are checked to find out whether it holds jobs. */
const probes = 20

export async function listNamespaces({ reader }: OperatorRegistry): Promise<Namespaces> {
  const names = await unlessForbidden(reader.children('/'))
  if (names === 'forbidden') return { withJobs: [], unreadable: ['/'] }
  const candidates = (names ?? []).filter(
    (name) => name !== 'zookeeper' && !name.endsWith('.state'),
  )
  const found = await Promise.all(
    candidates.map(async (name) => ({ name, holds: await holdsJobs(reader, name) })),
  )
  const those = (answer: Answer): string[] =>
    found
      .filter(({ holds }) => holds === answer)
      .map(({ name }) => name)
      .toSorted()
  return { withJobs: those('yes'), unreadable: those('unknown') }
}

type Answer = 'yes' | 'no' | 'unknown'

async function holdsJobs(reader: OperatorRegistry['reader'], name: string): Promise<Answer> {
  const children = await unlessForbidden(reader.children(`/${name}`))
  if (children === 'forbidden') return 'unknown'
  const configs = await Promise.all(
    (children ?? [])
      .slice(0, probes)
      .map((child) => unlessForbidden(reader.get(`/${name}/${child}/config`))),
  )
  if (configs.some((config) => typeof config === 'object')) return 'yes'
  return configs.includes('forbidden') ? 'unknown' : 'no'
}

async function unlessForbidden<T>(reading: Promise<T>): Promise<T | 'forbidden'> {
  try {
    return await reading
  } catch (error) {
    if (isRegistryError(error, 'REGISTRY_NO_AUTH')) return 'forbidden'
    throw error
  }
}
