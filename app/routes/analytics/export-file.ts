import type { LoaderFunctionArgs } from '@remix-run/node'
import { getExportFile } from '#app/api/contract/exports.ts'
import { asDownload } from '#app/routes/download.server.ts'
import { requireDashboard } from '#app/routes/guards.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  const { api } = await requireDashboard(args)
  return asDownload(await api(getExportFile, { id: args.params.exportId }))
}
