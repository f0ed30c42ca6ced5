import type { TestProject } from 'vitest/node'
import { prometheusAvailable } from './programs.ts'

/**
 * Tells the tests whether a real Prometheus can be started. Its absence skips them with the command that
 * gets it; in CI it is an error, because a skipped suite looks just like a passing one there.
 */
export function setup(project: TestProject): void {
  const isAvailable = prometheusAvailable()
  project.provide('realPrometheus', isAvailable)
  if (isAvailable) return
  const message = 'Tests with a real Prometheus need it: `npm run setup:monitoring` gets it'
  if (process.env['CI'] === 'true') throw new Error(`${message}.`)
  console.warn(`${message}; they are skipped.`)
}
