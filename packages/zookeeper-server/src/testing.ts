/** For tests: servers that fail on purpose, a network and a clock in memory. */
export { type Faults, faultsOf, type RequestFilter } from './testing/faults.ts'
export { MemoryNetwork, type MemoryNetworkOptions } from './testing/memory-network.ts'
export { MemoryServer, type MemoryServerOptions } from './testing/memory-server.ts'
export { SimulatedEnsemble, type SimulatedEnsembleOptions } from './testing/simulated-ensemble.ts'
export { SimulatedClock } from './testing/simulated-clock.ts'
