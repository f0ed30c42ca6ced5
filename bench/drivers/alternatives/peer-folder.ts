import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const folder = fileURLToPath(new URL('../../../schedulers/alternatives/', import.meta.url))

/** What a scheduler of npm exports; it is installed in a folder of its own. Seen from the compiled driver. */
export async function peer<Module>(name: string): Promise<Module> {
  return (await import(pathToFileURL(join(folder, name, 'module.js')).href)) as Module
}
