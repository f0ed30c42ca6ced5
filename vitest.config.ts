import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import type { TestProjectInlineConfiguration } from 'vitest/config'

/** The tests of `npm test`: they wait for events and not for time, so they may have every core. */
function onEveryCore(test: TestProjectInlineConfiguration['test']): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      // Vitest leaves one core free by default, which is half of a machine with two.
      maxWorkers: availableParallelism(),
      // Most of the time of a small file is to import the packages; the files of a worker do it once.
      isolate: false,
      sequence: { groupOrder: 1 },
      ...test,
    },
  }
}

/** A project whose tests talk to a real ZooKeeper, and are skipped where none is installed. */
function realZooKeeper(
  name: string,
  include: string,
  target: 'standalone' | 'ensemble',
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [include],
      provide: { target },
      globalSetup: ['test/zookeeper/global-setup.ts'],
      // Each file starts servers of its own: two JVM ensembles at once starve a small machine, and
      // a starved server misses heartbeats for reasons that no test is about.
      fileParallelism: false,
      maxWorkers: 1,
      // The files of a project then share the server that the first of them has started.
      isolate: false,
      sequence: { groupOrder: 2 },
      testTimeout: 60_000,
      hookTimeout: 120_000,
    },
  }
}

/** A project whose tests run real Java ElasticJob beside ours. */
function besideJava(
  name: string,
  include: string,
  target: 'standalone' | 'embedded',
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: [include],
      provide: { target },
      globalSetup: ['test/interop/global-setup.ts'],
      // All scenarios share a few processes, each a JVM or a Node of its own.
      fileParallelism: false,
      maxWorkers: 1,
      isolate: false,
      sequence: { groupOrder: 2 },
      testTimeout: 300_000,
      hookTimeout: 120_000,
    },
  }
}

/** A project that runs the suite of a history's store on one database; `unit` does on SQLite. */
function onDatabase(
  name: string,
  database: 'postgresql' | 'mariadb',
): TestProjectInlineConfiguration {
  return {
    extends: true,
    test: {
      name,
      include: ['packages/tracing/test/databases/**/*.test.ts', 'test/databases/**/*.test.ts'],
      provide: { database },
      globalSetup: ['test/databases/global-setup.ts'],
      setupFiles: ['packages/tracing/test/databases/support/skip-without-server.ts'],
      // All tests share one server.
      fileParallelism: false,
      maxWorkers: 1,
      testTimeout: 120_000,
      hookTimeout: 120_000,
    },
  }
}

export default defineConfig({
  // Packages test each other's source: no build stands between an edit and its test.
  resolve: { conditions: ['source'] },
  ssr: { resolve: { conditions: ['source'] } },
  test: {
    testTimeout: 20_000,
    tags: [{ name: 'short', description: 'of the scenarios beside Java, those that CI runs' }],
    projects: [
      onEveryCore({
        name: 'unit',
        include: [
          'packages/*/test/**/*.test.{ts,tsx}',
          'scripts/**/*.test.ts',
          'bench/test/**/*.test.ts',
        ],
        exclude: ['packages/cli/test/commands/**', 'packages/console/test/**'],
      }),
      // The page keeps what it shows in its modules, and the server's are mocked: each file has modules of its own.
      onEveryCore({
        name: 'console',
        include: ['packages/console/test/**/*.test.{ts,tsx}'],
        setupFiles: ['packages/console/test/support/cheap-passwords.ts'],
        isolate: true,
      }),
      onEveryCore({ name: 'architecture', include: ['test/architecture/**/*.test.ts'] }),
      onEveryCore({
        name: 'embedded',
        include: ['test/{zookeeper/conformance,registry}/**/*.test.ts'],
        provide: { target: 'embedded', realZooKeeper: false },
      }),
      {
        extends: true,
        test: {
          name: 'cli',
          include: ['packages/cli/test/commands/**/*.test.ts'],
          globalSetup: ['packages/cli/test/support/build.ts'],
          // Those that wait for a registry which does not answer can do that together.
          maxConcurrency: 6,
          testTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'cluster',
          include: ['test/cluster/**/*.test.ts'],
          exclude: ['test/cluster/chaos/chaos.test.ts'],
          provide: { target: 'embedded', realZooKeeper: false },
        },
      },
      {
        extends: true,
        test: { name: 'plans', include: ['test/plans/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'mutants', include: ['test/mutants/*.test.ts'] },
      },
      {
        extends: true,
        test: { name: 'simulation', include: ['test/simulation/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'history-faults',
          include: ['test/tracing/faults/*.test.ts'],
          globalSetup: ['test/tracing/faults/global-setup.ts'],
          // Each file starts servers of its own.
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'monitoring',
          include: ['test/monitoring/**/*.test.ts'],
          globalSetup: ['test/monitoring/global-setup.ts'],
          testTimeout: 150_000,
          hookTimeout: 180_000,
        },
      },
      onDatabase('databases-postgresql', 'postgresql'),
      onDatabase('databases-mariadb', 'mariadb'),
      realZooKeeper('cluster-ensemble', 'test/cluster/{cluster,chaos/chaos}.test.ts', 'ensemble'),
      realZooKeeper(
        'harness',
        'test/{zookeeper,interop}/harness-selftest/**/*.test.ts',
        'standalone',
      ),
      realZooKeeper(
        'standalone',
        'test/{zookeeper/conformance,registry}/**/*.test.ts',
        'standalone',
      ),
      realZooKeeper('ensemble', 'test/{zookeeper/conformance,registry}/**/*.test.ts', 'ensemble'),
      realZooKeeper('faults', 'test/zookeeper/faults/**/*.test.ts', 'standalone'),
      realZooKeeper('curator', 'test/zookeeper/curator/**/*.test.ts', 'standalone'),
      besideJava('interop', 'test/interop/*.test.ts', 'standalone'),
      besideJava('interop-embedded', 'test/interop/{joining,triggers}.test.ts', 'embedded'),
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          globalSetup: ['test/browser/global-setup.ts'],
          // Each file has workers, a console and a browser of its own.
          fileParallelism: false,
          maxWorkers: 1,
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      realZooKeeper('clients', 'test/zookeeper/clients/**/*.test.ts', 'standalone'),
    ],
  },
})
