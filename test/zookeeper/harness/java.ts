import { execFile } from 'node:child_process'
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { spawnOwned } from './owned-process.ts'

const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url))
/** Where what was compiled or fetched is kept from one run of the tests to the next. */
export const javaCache: string = join(repositoryRoot, 'node_modules/.cache/elasticjob/java')

/** A jar of the Debian packages `libzookeeper-java` and `libcurator-recipes-java`. */
function jar(name: string): string {
  return `/usr/share/java/${name}.jar`
}

/**
 * What each Java program of the tests needs. ZooKeeper's jar names most of its dependencies in its
 * manifest, all but a log binding and parts of Netty, without which a TLS port accepts connections
 * and then drops every one.
 */
export const classpaths: Readonly<Record<'server' | 'client' | 'curator', readonly string[]>> =
  Object.freeze({
    server: [
      jar('zookeeper'),
      jar('slf4j-simple'),
      jar('netty-codec'),
      jar('netty-resolver'),
      jar('netty-transport-native-unix-common'),
    ],
    client: [jar('zookeeper'), jar('zookeeper-jute'), jar('slf4j-nop')],
    curator: [
      jar('curator-recipes'),
      jar('curator-framework'),
      jar('curator-client'),
      jar('zookeeper'),
      jar('jackson-databind'),
      jar('jackson-core'),
      jar('jackson-annotations'),
      jar('slf4j-simple'),
      jar('guava'),
    ],
  })

/** Whether this machine has the JDK and every jar that the tests use. */
export function javaAvailable(): boolean {
  return isOnPath('java') && isOnPath('javac') && Object.values(classpaths).flat().every(existsSync)
}

/**
 * Compiles Java sources and gives the directory of their classes. Compiling costs a second, so the
 * result is kept for as long as sources and classpath stay the same.
 */
export async function compileJava(
  sources: readonly string[],
  classpath: readonly string[],
): Promise<string> {
  const hash = createHash('sha256').update(classpath.join(delimiter))
  for (const source of sources) hash.update(basename(source)).update(await readFile(source))
  const classes = join(javaCache, hash.digest('hex').slice(0, 20))
  if (existsSync(classes)) return classes

  // Compiled elsewhere and renamed: nobody ever sees a half-written directory of classes.
  const unfinished = `${classes}.${process.pid}`
  await mkdir(unfinished, { recursive: true })
  await promisify(execFile)('javac', [
    '-cp',
    classpath.join(delimiter),
    '-d',
    unfinished,
    ...sources,
  ])
  await rename(unfinished, classes).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true })
    if (!existsSync(classes)) throw error
  })
  return classes
}

export interface JavaCommand {
  readonly mainClass: string
  readonly classpath: readonly string[]
  readonly args?: readonly string[]
  /** System properties, without their `-D`. */
  readonly properties?: Readonly<Record<string, string>>
  /** @default '256m' */
  readonly maxHeap?: string
  /** Further options of the JVM. */
  readonly flags?: readonly string[]
  /** Words before `java`, such as those that bind it to a core. */
  readonly launcher?: readonly string[]
  readonly stdio: StdioOptions
}

/** Starts a JVM that is small, quick to start, and never outlives this process. */
export function spawnJava(command: JavaCommand): ChildProcess {
  const properties = Object.entries(command.properties ?? {})
  const words = [...(command.launcher ?? []), 'java']
  const program = words.shift() as string
  return spawnOwned(
    program,
    [
      ...words,
      '-XX:+UseSerialGC',
      `-Xmx${command.maxHeap ?? '256m'}`,
      ...(command.flags ?? []),
      ...properties.map(([name, value]) => `-D${name}=${value}`),
      '-cp',
      command.classpath.join(delimiter),
      command.mainClass,
      ...(command.args ?? []),
    ],
    command.stdio,
  )
}

/** Whether this machine has a program of that name. */
export function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((directory) => {
    try {
      accessSync(join(directory, program), constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
