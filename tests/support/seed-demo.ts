/** Seeds the database that the environment names, as a first start does, in a process of its own. */
import { startPlatform } from '#app/process/platform.server.ts'

const platform = await startPlatform()
await platform.stop()
