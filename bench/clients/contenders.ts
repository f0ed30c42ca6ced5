import { fileURLToPath } from 'node:url'
import { classpaths, compileJava } from '../../test/zookeeper/harness/java.ts'
import { launcher } from '../measure/cores.ts'
import { program } from '../measure/build.ts'
import { installClients, peerVersion } from './peers.ts'

export const ours = '@elasticjob/zookeeper'
export const java = 'Java'

/** A client to measure. */
export interface Contender {
  readonly name: string
  readonly version: string
  /** Its driver's command, to which the connect string and the root path are added. */
  readonly command: readonly string[]
}

export interface Contenders {
  readonly present: readonly Contender[]
  /** Why a client is missing from the table, by its name. */
  readonly absent: ReadonlyMap<string, string>
}

/** As for the server: a small heap and the collector that suits one core. */
export const javaOptions: readonly string[] = ['-XX:+UseSerialGC', '-Xmx256m']

const driversOfNpm: Readonly<Record<string, string>> = {
  zookeeper: 'drivers/native-zookeeper.js',
  'node-zookeeper-client': 'drivers/node-zookeeper-client.js',
}

/** All clients that can run on this machine, Java's first: the others are compared with it. */
export async function findContenders(
  pinned: boolean,
  ourVersion: string,
  zooKeeperVersion: string,
): Promise<Contenders> {
  const pin = launcher('client', pinned)
  const absent = await installClients(Object.keys(driversOfNpm))
  const present: Contender[] = [
    { name: java, version: zooKeeperVersion, command: [...pin, ...(await javaCommand())] },
    { name: ours, version: ourVersion, command: [...pin, ...program('drivers/elasticjob.js')] },
  ]
  for (const [name, driver] of Object.entries(driversOfNpm)) {
    if (absent.has(name)) continue
    present.push({ name, version: peerVersion(name), command: [...pin, ...program(driver)] })
  }
  return { present, absent }
}

async function javaCommand(): Promise<readonly string[]> {
  const source = fileURLToPath(new URL('../java/JavaClientBench.java', import.meta.url))
  const classes = await compileJava([source], classpaths.client)
  const classpath = [...classpaths.client, classes].join(':')
  return ['java', ...javaOptions, '-cp', classpath, 'JavaClientBench']
}
