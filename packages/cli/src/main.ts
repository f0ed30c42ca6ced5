#!/usr/bin/env node
import { systemClock } from './clock.ts'
import { runCommandLine } from './program.ts'
import { processTerminal } from './terminal.ts'

// Whoever reads may have had enough: `elasticjob jobs | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

// Not process.exit(): a command that takes part in jobs goes on from here.
process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal(), systemClock)
