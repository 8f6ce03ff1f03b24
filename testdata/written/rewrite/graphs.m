A = zeros(6);
A(1,2) = 2.5; A(2,3) = 1; A(3,1) = 0.5; A(4,5) = 3; A(5,6) = 1.25;
network = sparse(A + A');
s.a = 1;
t = {'x'};
save('-v7', 'octave.mat', 'network', 's', 't');
