/** How a real server of the tests is set up. */
export interface ZooKeeperOptions {
  /**
   * The server's unit of time in milliseconds. Short, so that expiry and elections take little
   * of a test's time.
   * @default 500
   */
  readonly tickTime?: number
  /**
   * The shortest session timeout that the server grants, in milliseconds.
   * @default 1000
   */
  readonly minSessionTimeout?: number
  /**
   * The longest session timeout that the server grants, in milliseconds.
   * @default 60000
   */
  readonly maxSessionTimeout?: number
  /**
   * The client port, on 127.0.0.1.
   * @default a free port
   */
  readonly port?: number
  /**
   * Whether a write is on the disk before it is answered.
   * @default false
   */
  readonly forceSync?: boolean
  /** Further lines of zoo.cfg, or other values for the lines that are there. */
  readonly config?: Readonly<Record<string, string | number | boolean>>
  /** System properties of the JVM, without their `-D`. */
  readonly properties?: Readonly<Record<string, string>>
  /** @default '256m' */
  readonly maxHeap?: string
  /** Words before `java`, such as those that bind it to a core. */
  readonly launcher?: readonly string[]
}

const zooKeeperDefaults: Readonly<
  Required<
    Pick<ZooKeeperOptions, 'tickTime' | 'minSessionTimeout' | 'maxSessionTimeout' | 'forceSync'>
  >
> = Object.freeze({
  tickTime: 500,
  minSessionTimeout: 1_000,
  maxSessionTimeout: 60_000,
  forceSync: false,
})

/** The text of zoo.cfg for one server that listens on loopback alone. */
export function zooKeeperConfig(
  options: ZooKeeperOptions & { readonly port: number },
  dataDir: string,
): string {
  const settings = { ...zooKeeperDefaults, ...options }
  const lines = {
    tickTime: settings.tickTime,
    minSessionTimeout: settings.minSessionTimeout,
    maxSessionTimeout: settings.maxSessionTimeout,
    dataDir,
    clientPortAddress: '127.0.0.1',
    clientPort: settings.port,
    maxClientCnxns: 0,
    // On, it listens on every interface, on a port that is the same for all servers.
    'admin.enableServer': false,
    '4lw.commands.whitelist': '*',
    forceSync: settings.forceSync ? 'yes' : 'no',
    // Off, a node with a TTL is refused as unimplemented.
    extendedTypesEnabled: true,
    ...settings.config,
  }
  return Object.entries(lines)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}
