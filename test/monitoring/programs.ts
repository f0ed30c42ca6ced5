/** Prometheus and promtool: those of this machine, or those that `npm run setup:monitoring` has unpacked. */
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository: string = fileURLToPath(new URL('../..', import.meta.url))

const unpacked = join(repository, 'node_modules/.cache/elasticjob/prometheus/usr/bin')

function find(program: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), unpacked]
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

export function prometheusAvailable(): boolean {
  return find('prometheus') !== undefined && find('promtool') !== undefined
}

export function pathOf(program: 'prometheus' | 'promtool'): string {
  const path = find(program)
  if (path === undefined) throw new Error(`there is no ${program}: npm run setup:monitoring`)
  return path
}
