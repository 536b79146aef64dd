// One step of a breadth-first search: threads of the frontier walk their edges and mark neighbours anywhere in memory.
// Most lanes are idle, and the others read at random.
// launch: bfs_step<<<(n + 127) / 128, 128>>>(
//     start: int[n + 1] = graph(n, edges, 5), edge: int[edges] = graph(n, edges, 5), level: int[n] = random(9, 0, 4),
//     more: int[1] = zero, depth = 2, n = 2048, edges = 16384)

__global__ void bfs_step(const int *start, const int *edge, int *level, int *more, int depth, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && level[v] == depth) {
        for (int e = start[v]; e < start[v + 1]; e++) {
            int u = edge[e];
            if (level[u] == 0) {
                level[u] = depth + 1;
                *more = 1;
            }
        }
    }
}
