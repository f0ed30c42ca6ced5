/** The part of a package.json that a release changes or reads. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

const scope = '@elasticjob/'

/** The manifest at a new version, with its siblings at the same one: they are released together. */
export function withVersion(manifest: Manifest, version: string): Manifest {
  const released = { ...manifest, version }
  if (!manifest.dependencies) return released
  const dependencies = Object.entries(manifest.dependencies).map(([name, range]) => [
    name,
    name.startsWith(scope) ? version : range,
  ])
  return { ...released, dependencies: Object.fromEntries(dependencies) as Record<string, string> }
}

/** The packages such that each comes after those it depends on, as a registry wants to get them. */
export function publishOrder(manifests: readonly Manifest[]): Manifest[] {
  const waiting = new Map(manifests.map((manifest) => [manifest.name, manifest]))
  const ordered: Manifest[] = []
  while (waiting.size > 0) {
    const ready = [...waiting.values()].filter(
      ({ dependencies = {} }) => !Object.keys(dependencies).some((name) => waiting.has(name)),
    )
    if (ready.length === 0) {
      throw new Error(`Packages depend on each other: ${[...waiting.keys()].join(', ')}`)
    }
    for (const manifest of ready) {
      ordered.push(manifest)
      waiting.delete(manifest.name)
    }
  }
  return ordered
}
