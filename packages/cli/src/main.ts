#!/usr/bin/env node
import { systemClock } from '@elasticjob/core/internal'
import { runCommandLine } from './program.ts'
import { processTerminal } from './terminal.ts'

// The reader may close the pipe early: `elasticjob jobs | head -1`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit()
  throw error
})

// Not process.exit(): a command that runs jobs continues from here.
process.exitCode = await runCommandLine(process.argv.slice(2), processTerminal(), systemClock)
