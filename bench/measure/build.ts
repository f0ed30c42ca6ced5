import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { progress } from './progress.ts'

const benchFolder = fileURLToPath(new URL('../', import.meta.url))

/** Compiles the programs of `bench/drivers`, and the packages that they use. */
export async function build(): Promise<void> {
  progress('compiling')
  const tsc = join(benchFolder, '../node_modules/.bin/tsc')
  await promisify(execFile)(tsc, ['-b', join(benchFolder, 'drivers')]).catch((error: unknown) => {
    const { stdout } = error as { stdout?: string }
    throw new Error(`the build of bench/drivers failed:\n${stdout ?? String(error)}`, {
      cause: error,
    })
  })
}

/** A compiled program, to be run by plain Node. */
export function program(path: string): readonly string[] {
  return [process.execPath, join(benchFolder, 'dist', path)]
}
