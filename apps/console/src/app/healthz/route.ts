/** For whoever restarts a console that hangs: 200 while this process answers. Says nothing else. */
export const dynamic = "force-dynamic";

export const GET = (): Response => new Response("ok\n");
