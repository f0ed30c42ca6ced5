/** The architecture as data: who may import whom, and what every file has to keep to. */

/** Every package there may be, with the packages it may import. */
export const packageDirection: Readonly<Record<string, readonly string[]>> = {
  zookeeper: [],
  'zookeeper-server': ['zookeeper'],
  core: ['zookeeper'],
  'error-handlers': ['core'],
  tracing: ['core'],
  metrics: ['core'],
  console: ['core', 'tracing', 'metrics'],
  cli: ['zookeeper', 'zookeeper-server', 'core', 'error-handlers', 'tracing', 'metrics', 'console'],
}

/** What the tests of a package may use beyond that: a real server to run against. */
export const testDirection: Readonly<Record<string, readonly string[]>> = {
  core: ['zookeeper-server'],
  'error-handlers': ['zookeeper', 'zookeeper-server'],
  tracing: ['zookeeper', 'zookeeper-server'],
  metrics: ['zookeeper', 'zookeeper-server'],
  console: ['zookeeper', 'zookeeper-server'],
}

/** What one layer inside a package may import; paths are prefixes below `packages/<name>/src/`. */
export interface LayerRule {
  readonly package: string
  readonly layer: string
  /** When given, nothing else of the package may be imported. */
  readonly only?: readonly string[]
  readonly never?: readonly string[]
  /** Whether `import type` of what is otherwise forbidden is fine. */
  readonly typesAllowed?: boolean
  readonly because: string
}

/** The lines of core, from top to bottom: a folder imports only from lines below its own, types included. */
export const coreLines: readonly (readonly string[])[] = [
  ['scheduler/'],
  ['operations/', 'reconcile/'],
  ['failover/'],
  ['barrier/', 'execution/', 'misfire/', 'trigger/'],
  ['sharding/'],
  ['election/'],
  ['fire-times/', 'legacy/', 'servers/'],
  ['job-tree/'],
  ['job-types/', 'registry/'],
  ['config/'],
  ['cron/', 'decode/', 'error-handlers/', 'timing/'],
  ['messages/'],
]
/** What users import: no other source of core does. */
const coreEntries = ['cron.ts', 'index.ts', 'internal.ts', 'operations.ts']
/** The files that stand below all folders but the catalogues of messages. */
const coreFiles = [
  'clock.ts',
  'errors.ts',
  'events.ts',
  'logger.ts',
  'message.ts',
  'mostly-empty.ts',
  'node-path.ts',
  'random.ts',
  'secrets.ts',
  'short-hash.ts',
  'thrown.ts',
]

const coreRules: readonly LayerRule[] = [
  ...coreLines.flatMap((line, index) =>
    line.map((layer) => ({
      package: 'core',
      layer,
      never: [...coreLines.slice(0, index + 1).flat(), ...coreEntries].filter(
        (one) => one !== layer,
      ),
      because: `${layer} does not stand above it`,
    })),
  ),
  ...coreFiles.map((layer) => ({
    package: 'core',
    layer,
    never: [...coreLines.slice(0, -1).flat(), ...coreEntries],
    because: 'every folder stands on it',
  })),
]

export const layerRules: readonly LayerRule[] = [
  ...coreRules,
  {
    package: 'zookeeper',
    layer: 'jute/',
    only: ['jute/', 'errors.ts'],
    because: 'the codec is shared with the server and knows bytes alone',
  },
  {
    package: 'zookeeper',
    layer: 'connection/',
    never: ['session/', 'client', 'recipes/'],
    because: 'a connection is one socket and knows nothing of reconnecting',
  },
  {
    package: 'zookeeper',
    layer: 'session/',
    never: ['client', 'recipes/'],
    because: 'a session serves any caller, the client is one of them',
  },
  {
    package: 'zookeeper',
    layer: 'recipes/',
    never: ['session/', 'connection/'],
    typesAllowed: true,
    because: 'a recipe is built from the operations that every user has',
  },
  {
    package: 'console',
    layer: 'contract/',
    only: ['contract/'],
    because: 'the page shares it, and has nothing else of the server',
  },
  {
    package: 'zookeeper-server',
    layer: 'tree/',
    never: [
      'request/',
      'session/',
      'net/',
      'persistence/',
      'four-letter/',
      'server-core',
      'runtime',
    ],
    because: 'the tree is what requests change, and knows nothing of who asks',
  },
  {
    package: 'zookeeper-server',
    layer: 'request/',
    never: ['net/', 'persistence/', 'four-letter/', 'server-core', 'runtime'],
    because: 'requests are decided without sockets and files',
  },
  {
    package: 'zookeeper-server',
    layer: 'server-core',
    never: ['net/', 'persistence/', 'four-letter/', 'runtime', 'testing'],
    because: 'the core is a state machine: sockets, timers and files are at its edge',
  },
  {
    package: 'zookeeper-server',
    layer: 'persistence/',
    never: ['net/', 'request/', 'session/', 'watch/', 'four-letter/', 'server-core', 'runtime'],
    because: 'a log knows transactions, not how they come about',
  },
]

/** The layers of a package that alone may import another package, in its sources. */
export interface GateRule {
  readonly package: string
  readonly imports: string
  readonly layer: string
  readonly because: string
}

export const gateRules: readonly GateRule[] = [
  {
    package: 'core',
    imports: 'zookeeper',
    layer: 'registry/zookeeper/',
    because: 'only registry/zookeeper/ knows which registry it is',
  },
]

/** Decisions are pure: a plan knows no service, except by the types of its values. */
export const planFile: RegExp = /(^|-)plan\.ts$/
export const serviceFile: RegExp = /(^|-)service\.ts$/

/** A global or an import that reads time, sets a timer or rolls dice. */
export interface AmbientRule {
  /** Names of globals, bare or as `object.property`. */
  readonly globals: readonly string[]
  /** Modules that give the same, with the names that count (all of them when absent). */
  readonly modules: Readonly<Record<string, readonly string[] | undefined>>
  /** The files that wrap them, by name. */
  readonly allowedIn: RegExp
}

export const ambientRules: readonly AmbientRule[] = [
  {
    globals: [
      'Date.now',
      'new Date()',
      'performance.now',
      'process.hrtime',
      'process.uptime',
      'setTimeout',
      'setInterval',
    ],
    modules: { 'node:timers': undefined, 'node:timers/promises': undefined },
    allowedIn: /^clock[a-z-]*\.ts$/,
  },
  {
    globals: ['Math.random', 'crypto.randomUUID', 'crypto.getRandomValues'],
    modules: {
      'node:crypto': ['getRandomValues', 'randomBytes', 'randomFill', 'randomInt', 'randomUUID'],
    },
    allowedIn: /^random[a-z-]*\.ts$/,
  },
]

/** Lines beyond which a file holds more than one idea. */
export const maximumLines = 600

/** `leader-latch.ts`, `leader-latch.test.ts`, `vitest.config.ts`, `provided-context.d.ts`. */
export const fileName: RegExp = /^[a-z0-9]+(-[a-z0-9]+)*(\.(config|d|test))?\.ts$/

/** Files that a tool wants to have a default export. */
export const defaultExportAllowed: RegExp = /\.config\.ts$/

/** Where `vitest.config.ts` looks for tests: elsewhere a test would never run. */
export const testFolders: readonly RegExp[] = [
  /^packages\/[^/]+\/test\//,
  /^bench\/test\//,
  /^scripts\//,
  /^test\/architecture\//,
  /^test\/cluster\//,
  /^test\/browser\//,
  /^test\/databases\//,
  /^test\/interop\//,
  /^test\/monitoring\//,
  /^test\/mutants\//,
  /^test\/plans\//,
  /^test\/registry\//,
  /^test\/simulation\//,
  /^test\/tracing\//,
  /^test\/zookeeper\/(clients|conformance|curator|faults|harness-selftest)\//,
]

/** Folders of tests that mirror no folder of `src`: those of the console's page, and those that need a real database. */
export const ownTestFolders: readonly string[] = [
  'packages/console/test/ui',
  'packages/tracing/test/databases',
]

/** The words of the console's page: whoever tries it in a browser looks for them, and for nothing else of it. */
export const pageTexts = 'packages/console/ui/src/i18n/'

/** What is no part of core's exports: the checker of plans runs plans as they are, the suite of the registry its contract. */
export const insideOfCore: Readonly<Record<string, string>> = {
  'test/plans/': 'packages/core/src/',
  'test/registry/': 'packages/core/src/registry/',
}

/** What the fuzzers of a package may use outside of it: real servers, as the tests start them. */
export const fuzzHarness = 'test/zookeeper/harness/'

/** Folders of the repository that hold modules. */
export const moduleFolders: readonly string[] = ['packages', 'test', 'bench', 'examples', 'scripts']

/** Fewer modules than this means that the reader looked in the wrong place. */
export const minimumModules = 80
