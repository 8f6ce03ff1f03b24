X = sparse([1 0 1; 0 1 1; 1 1 0; 0 0 1]) > 0;
target = [1; 2; 1; 2];
save('-v7', 'sparse.mat', 'X', 'target');
