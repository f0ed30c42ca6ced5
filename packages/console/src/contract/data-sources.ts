/** The history databases. A password can be written, but never read. */
import { z } from 'zod'

import { name } from './registries.ts'

export const dataSourceEntry = z.object({
  name: z.string(),
  /** `sqlite`, `postgresql` or `mysql`. */
  type: z.string(),
  /** Without a password. */
  url: z.string(),
  username: z.string().optional(),
  hasPassword: z.boolean(),
  /** Whether it is the default of this user. */
  activated: z.boolean(),
  /** It was configured at the start of the console and cannot be removed. */
  fixed: z.boolean(),
})
export type DataSourceEntry = z.infer<typeof dataSourceEntry>

export const dataSourceBody = z
  .object({
    name,
    /**
     * `sqlite:/path/to/file`, `postgresql://host:5432/database`, `mysql://host:3306/database`, or a JDBC URL,
     * `jdbc:mysql://…`.
     */
    url: z.string().min(1).max(2000),
    username: z.string().max(200).optional(),
    /** If absent: none for a new data source, the stored one for a known data source. */
    password: z.string().max(1000).optional(),
    /** Sent by 2.x and 3.x; ignored, because the URL determines the driver. */
    driver: z.string().max(200).optional(),
  })
  .strict()
export type DataSourceBody = z.infer<typeof dataSourceBody>
