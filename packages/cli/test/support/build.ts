/** The tests run the program as it is published: compiled. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export function setup(): void {
  const root = fileURLToPath(new URL('../../../..', import.meta.url))
  try {
    execFileSync('npx', ['tsc', '-b', 'packages/cli'], {
      cwd: root,
      stdio: 'pipe',
      encoding: 'utf8',
    })
  } catch (error) {
    const { stdout } = error as { stdout: string }
    throw new Error(`packages/cli does not compile:\n${stdout}`, { cause: error })
  }
}
