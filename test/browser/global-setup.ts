import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'
import { chromiumPath } from './support/chromium.ts'

/**
 * Builds the page that the browser is shown. Where there is no browser the tests are skipped, with the
 * command that changes it; in CI it is an error, because a skipped suite looks just like a passing one.
 */
export async function setup(project: TestProject): Promise<void> {
  const isThere = existsSync(chromiumPath)
  project.provide('chromium', isThere)
  if (isThere) {
    const configFile = fileURLToPath(
      new URL('../../packages/console/ui/vite.config.ts', import.meta.url),
    )
    const { NODE_ENV } = process.env
    // Under test, libraries would bring what helps their developers.
    process.env['NODE_ENV'] = 'production'
    await build({ configFile, logLevel: 'error' })
    process.env['NODE_ENV'] = NODE_ENV
    return
  }
  const message = 'The console is tried in Chromium (`npm run setup:browser`)'
  if (process.env['CI'] === 'true') throw new Error(`${message}.`)
  console.warn(`${message}: its tests are skipped.`)
}
