/** Liveness check for a process supervisor: 200 while this process answers. Reveals nothing else. */
export const dynamic = "force-dynamic";

export const GET = (): Response => new Response("ok\n");
