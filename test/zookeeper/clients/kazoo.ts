import { existsSync } from 'node:fs'

/** The Python that Debian's packages are installed for; another one may come first on the path. */
export const debianPython = '/usr/bin/python3'

const packages = '/usr/lib/python3/dist-packages'

/** Whether this machine has Debian's kazoo, and what kazoo's own tests need. */
export function kazooAvailable(): boolean {
  return (
    existsSync(debianPython) &&
    ['kazoo', 'mock', 'objgraph.py', 'pytest'].every((name) => existsSync(`${packages}/${name}`))
  )
}
