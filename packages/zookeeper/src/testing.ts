/** For tests: random numbers that are the same in every run. */
export { SeededRandom } from './seeded-random.ts'
