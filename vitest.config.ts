import { defineConfig } from 'vitest/config'
import type { TestProjectInlineConfiguration } from 'vitest/config'

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
      testTimeout: 300_000,
      hookTimeout: 120_000,
    },
  }
}

/** A project that runs the suite of a history's store on one database. */
function onDatabase(
  name: string,
  database: 'sqlite' | 'postgresql' | 'mariadb',
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
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/test/**/*.test.{ts,tsx}',
            'scripts/**/*.test.ts',
            'bench/test/**/*.test.ts',
          ],
          exclude: ['packages/cli/test/commands/**'],
        },
      },
      {
        extends: true,
        test: { name: 'architecture', include: ['test/architecture/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['test/zookeeper/conformance/**/*.test.ts'],
          provide: { target: 'embedded', realZooKeeper: false },
        },
      },
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
      onDatabase('databases-sqlite', 'sqlite'),
      onDatabase('databases-postgresql', 'postgresql'),
      onDatabase('databases-mariadb', 'mariadb'),
      realZooKeeper('cluster-ensemble', 'test/cluster/{cluster,chaos/chaos}.test.ts', 'ensemble'),
      realZooKeeper(
        'harness',
        'test/{zookeeper,interop}/harness-selftest/**/*.test.ts',
        'standalone',
      ),
      realZooKeeper('standalone', 'test/zookeeper/conformance/**/*.test.ts', 'standalone'),
      realZooKeeper('ensemble', 'test/zookeeper/conformance/**/*.test.ts', 'ensemble'),
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
