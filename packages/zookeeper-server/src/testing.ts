/** For tests: fault injection, and a network and a clock in memory. */
export { type Backup, backupOf, type RestoreOptions, restoredFrom } from './testing/backup.ts'
export { type Faults, faultsOf, type RequestFilter } from './testing/faults.ts'
export { MemoryNetwork, type MemoryNetworkOptions } from './testing/memory-network.ts'
export { MemoryServer, type MemoryServerOptions } from './testing/memory-server.ts'
export { SimulatedEnsemble, type SimulatedEnsembleOptions } from './testing/simulated-ensemble.ts'
export { SimulatedClock } from './testing/simulated-clock.ts'
