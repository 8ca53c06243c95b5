import type { LinksFunction } from '@remix-run/node'
import { Outlet } from '@remix-run/react'
import stylesheet from './journeys.css?url'

export const links: LinksFunction = () => [{ rel: 'stylesheet', href: stylesheet }]

export default function JourneysLayout() {
  return <Outlet />
}
