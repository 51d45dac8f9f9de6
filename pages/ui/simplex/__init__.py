"""Three or four classes at once: the triangle, the tetrahedron and their corners."""
