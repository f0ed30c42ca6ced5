import { program } from './build.ts'
import { launcher } from './cores.ts'
import type { Effort } from './effort.ts'
import { LineProcess } from './line-process.ts'

export const treeRoot = '/tree'

export interface Filled {
  readonly nodes: number
  readonly seconds: number
}

/** Makes the great tree on a server. */
export function fillTree(
  connectString: string,
  { parents, children }: Effort,
  pinned: boolean,
): Promise<Filled> {
  return LineProcess.result([
    ...launcher('client', pinned),
    ...program('drivers/fill.js'),
    connectString,
    treeRoot,
    String(parents),
    String(children),
    '100',
  ])
}
