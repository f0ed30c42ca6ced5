/** Every command, with arguments that are right. */
export interface CommandExample {
  readonly name: string
  readonly args: readonly string[]
  /** Needs no argument. */
  readonly isGeneral?: boolean
}

function command(line: string, { isGeneral = false } = {}): CommandExample {
  const args = line.split(' ')
  return { name: args.slice(0, args[0] === 'config' ? 2 : 1).join(' '), args, isGeneral }
}

/** Those that need a registry. */
export const registryCommands: readonly CommandExample[] = [
  command('jobs', { isGeneral: true }),
  command('job greet'),
  command('shards greet'),
  command('servers', { isGeneral: true }),
  command('top --count 1', { isGeneral: true }),
  command('doctor', { isGeneral: true }),
  command('dump', { isGeneral: true }),
  command('trigger greet'),
  command('pause greet'),
  command('resume greet'),
  command('enable greet'),
  command('disable greet'),
  command('stop greet --shard 0 --yes'),
  command('reshard greet'),
  command('repair', { isGeneral: true }),
  command('shutdown greet --yes'),
  command('remove greet --yes'),
  command('config get greet'),
  command('config set greet failover=true'),
  command('config edit greet'),
  command('import', { isGeneral: true }),
]

export const otherCommands: readonly CommandExample[] = [
  command('dev', { isGeneral: true }),
  command('zookeeper', { isGeneral: true }),
  command('run jobs.js'),
  command('console', { isGeneral: true }),
  command('history', { isGeneral: true }),
  command('logs greet'),
  { name: 'cron', args: ['cron', '* * * * * ?'] },
  command('completion bash'),
]
