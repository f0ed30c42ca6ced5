import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How often it is looked what is still in use. */
const looks = 25

/**
 * Heap and buffers in use, in bytes; the least of some looks: a collection in the middle of what is under way
 * finds what is not kept, and buffers are given back some time after it. What was left behind is in every look.
 */
export async function memoryKept(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  let least = Infinity
  for (let look = 0; look < looks; look++) {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    least = Math.min(least, heapUsed + external)
    await new Promise(setImmediate)
  }
  return least
}
