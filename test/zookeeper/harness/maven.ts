/** Jars from Maven Central, for the programs in Java that tests and benchmarks run. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { javaCache } from './java.ts'

/** The jars that a project names, and all that these need; kept for as long as it stays the same. */
export async function mavenJars(pom: string): Promise<readonly string[]> {
  const hash = createHash('sha256').update(await readFile(pom))
  const jars = join(javaCache, `jars-${hash.digest('hex').slice(0, 20)}`)
  if (!existsSync(jars)) await fetchJars(pom, jars)
  return (await readdir(jars)).toSorted().map((name) => join(jars, name))
}

async function fetchJars(pom: string, jars: string): Promise<void> {
  // Fetched elsewhere and renamed: nobody ever sees half of them.
  const unfinished = `${jars}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  await promisify(execFile)('mvn', [
    '--quiet',
    '--batch-mode',
    '--file',
    pom,
    'dependency:copy-dependencies',
    '-DincludeScope=runtime',
    `-DoutputDirectory=${unfinished}`,
  ])
  await rename(unfinished, jars).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true })
    if (!existsSync(jars)) throw error
  })
}
